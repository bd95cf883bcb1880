; A lock of 64 bits is tried once with a weak compare-and-swap, and the value that it read is tested.
; launch: grid=4 block=1 passes=barrier-divergence,races
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %lock, ptr %sum) {
  %r = cmpxchg weak ptr %lock, i64 0, i64 7 syncscope("device") acquire monotonic
  %old = extractvalue { i64, i1 } %r, 0
  %held = icmp ne i64 %old, 0
  br i1 %held, label %end, label %in
in:
  %x = load i32, ptr %sum
  %y = add i32 %x, 1
  store i32 %y, ptr %sum ; ~ HD0002
  store atomic i64 0, ptr %lock syncscope("device") release, align 8
  br label %end
end:
  ret void
}
