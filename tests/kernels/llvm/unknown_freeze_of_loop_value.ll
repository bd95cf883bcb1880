; What a loop carries around is frozen after flags promised that it does not wrap around.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %tid, %0 ], [ %next, %loop ]
  %j = phi i32 [ 0, %0 ], [ %up, %loop ]
  %next = add nsw i32 %i, 1000000000
  %up = add i32 %j, 1
  %more = icmp ult i32 %up, 3
  br i1 %more, label %loop, label %after
after:
  %some = freeze i32 %i
  %small = icmp sge i32 %some, 0
  br i1 %small, label %end, label %write
write:
  store i32 %tid, ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @s, i32 7) ; ~ HD0002
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
