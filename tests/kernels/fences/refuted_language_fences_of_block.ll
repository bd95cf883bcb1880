; The fence after the ticket reaches the threads of its own block alone.
; launch: grid=4 block=1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %partial, ptr %out, ptr %count) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = zext i32 %b to i64
  %own = getelementptr i32, ptr %partial, i64 %at
  store i32 %b, ptr %own ; ~ HD0102
  fence syncscope("device") acq_rel
  %ticket = atomicrmw add ptr %count, i32 1 syncscope("device") monotonic
  %last = icmp eq i32 %ticket, 3
  br i1 %last, label %sum, label %end
sum:
  fence syncscope("block") acq_rel
  %first = load i32, ptr %partial
  store i32 %first, ptr %out
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
