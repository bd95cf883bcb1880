; Threads that go on after a breakpoint write an element each.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %stop, label %write
stop:
  call void @llvm.debugtrap()
  br label %write
write:
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  store i32 %tid, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.debugtrap()
