; A lock of the block, by a weak compare-and-swap whose value is tested.
; launch: grid=1 block=64 passes=barrier-divergence,races
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@lock = internal addrspace(3) global i32 undef
define ptx_kernel void @k(ptr %sum) {
  %r = cmpxchg weak ptr addrspace(3) @lock, i32 0, i32 1 syncscope("block") acq_rel monotonic
  %old = extractvalue { i32, i1 } %r, 0
  %took = icmp eq i32 %old, 0
  br i1 %took, label %in, label %end
in:
  %x = load i32, ptr %sum
  %y = add i32 %x, 1
  store i32 %y, ptr %sum ; ~ HD0002
  store atomic i32 0, ptr addrspace(3) @lock syncscope("block") release, align 4
  br label %end
end:
  ret void
}
