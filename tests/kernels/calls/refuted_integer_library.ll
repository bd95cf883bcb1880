; The smaller of a thread's number and 31 is 31 for half of the threads.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = call i32 @__nv_umin(i32 %tid, i32 31)
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %low
  store i32 %tid, ptr addrspace(1) %at ; ~ HD0101
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @__nv_umin(i32, i32)
