; Storing a sum that wraps around against its flag is defined; that all threads store one value there is not.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %o) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = add nuw i32 %tid, -1
  store i32 %y, ptr addrspace(1) %o ; ~ HD0002
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
