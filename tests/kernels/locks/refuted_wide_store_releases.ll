; The lock of 32 bits is released by a store of 64, over the lock beside it.
; launch: grid=4 block=1 passes=barrier-divergence,races
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %locks, ptr %words) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %odd = and i32 %b, 1
  %i = zext i32 %odd to i64
  %lock = getelementptr i32, ptr %locks, i64 %i
  %word = getelementptr i32, ptr %words, i64 %i
  br label %try
try:
  %r = cmpxchg ptr %lock, i32 0, i32 1 syncscope("device") acq_rel monotonic
  %took = extractvalue { i32, i1 } %r, 1
  br i1 %took, label %in, label %try
in:
  %x = load i32, ptr %word
  %y = add i32 %x, 1
  store i32 %y, ptr %word ; ~ HD0102 HD0102
  store atomic i64 0, ptr %lock syncscope("device") release, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
