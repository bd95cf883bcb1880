; The counter is a local variable, so every thread counts for itself.
; launch: grid=1 block=64
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out) {
  %counter = alloca i32
  %slot = atomicrmw add ptr %counter, i32 1 syncscope("device") monotonic
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %slot to i64
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %t, ptr %p ; ~ HD0002
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
