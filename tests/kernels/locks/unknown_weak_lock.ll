; A weak compare-and-swap may read the expected value and not write: the value does not say that the lock was taken.
; launch: grid=4 block=64 passes=barrier-divergence,races
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %lock, ptr %sum) {
  br label %try
try:
  %r = cmpxchg weak ptr %lock, i32 0, i32 1 syncscope("device") acq_rel monotonic
  %old = extractvalue { i32, i1 } %r, 0
  %took = icmp eq i32 %old, 0
  br i1 %took, label %in, label %try
in:
  %x = load i32, ptr %sum
  %y = add i32 %x, 1
  store i32 %y, ptr %sum ; ~ HD0002
  store atomic i32 0, ptr %lock syncscope("device") release, align 4
  ret void
}
