; A barrier stands on the side of a branch that only even threads take.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %even = and i32 %t, 1
  %c = icmp eq i32 %even, 0
  br i1 %c, label %wait, label %join

wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)   ; ~ HD0201
  br label %join

join:
  %slot = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %slot, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
