; Zero is shifted without an overflow in every iteration, also in those past its width.
; launch: grid=1 block=64
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %i = phi i32 [ %n, %entry ], [ %i.next, %latch ]
  %late = icmp eq i32 %k, 35
  br i1 %late, label %store, label %latch
store:
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr %out, i64 %wide
  store i32 %t, ptr %p   ; ~ HD0101
  br label %latch
latch:
  %i.next = shl nuw nsw i32 %i, 1
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, 40
  br i1 %more, label %head, label %exit
exit:
  ret void
}
