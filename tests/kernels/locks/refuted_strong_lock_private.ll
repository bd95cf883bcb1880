; The lock is a local variable, so every thread has one for itself.
; launch: grid=1 block=64 passes=barrier-divergence,races
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %sum) {
  %lock = alloca i32
  store i32 0, ptr %lock
  br label %try
try:
  %old = atomicrmw xchg ptr %lock, i32 1 syncscope("device") monotonic
  %took = icmp eq i32 %old, 0
  br i1 %took, label %in, label %try
in:
  fence syncscope("device") acq_rel
  %x = load i32, ptr %sum
  %y = add i32 %x, 1
  store i32 %y, ptr %sum ; ~ HD0101
  fence syncscope("device") acq_rel
  %was = atomicrmw xchg ptr %lock, i32 0 syncscope("device") monotonic
  ret void
}
