; The fences are by other threads than the atomics, and only acquire and release: no such pattern leads across a barrier.
; launch: grid=4 block=64
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@ticket = internal addrspace(3) global i32 undef
define ptx_kernel void @k(ptr %partial, ptr %out, ptr %count) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, 64
  %i = add i32 %first, %t
  %i64 = zext i32 %i to i64
  %own = getelementptr i32, ptr %partial, i64 %i64
  store i32 %b, ptr %own ; ~ HD0002
  fence syncscope("device") acq_rel
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %leads = icmp eq i32 %t, 0
  br i1 %leads, label %draw, label %join
draw:
  %v = atomicrmw add ptr %count, i32 1 syncscope("device") monotonic
  store i32 %v, ptr addrspace(3) @ticket
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %drawn = load i32, ptr addrspace(3) @ticket
  %last = icmp eq i32 %drawn, 3
  br i1 %last, label %sum, label %end
sum:
  fence syncscope("device") acq_rel
  %t64 = zext i32 %t to i64
  %other = getelementptr i32, ptr %partial, i64 %t64
  %x = load i32, ptr %other
  %to = getelementptr i32, ptr %out, i64 %t64
  store i32 %x, ptr %to
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
