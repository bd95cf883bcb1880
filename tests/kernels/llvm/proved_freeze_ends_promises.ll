; Without a freeze, a thread whose difference wraps around has no defined meaning, and none goes on.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %rest = sub nuw i32 5, %tid
  %some = add i32 %rest, 0
  %small = icmp ult i32 %some, 6
  br i1 %small, label %end, label %write
write:
  store i32 %tid, ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @s, i32 7)
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
