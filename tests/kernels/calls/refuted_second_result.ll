; The second result of a function is stored where the next thread has read before.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr float, ptr %p, i32 %tid
  %c = getelementptr float, ptr %s, i32 64
  %x = load float, ptr %c
  %next = getelementptr float, ptr %c, i32 1
  call void @__nv_sincosf(float %x, ptr %s, ptr %next) ; ~ HD0101
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @__nv_sincosf(float, ptr, ptr)
