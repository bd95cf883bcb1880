; A store goes through a select of two pointers that are indexed by disjoint halves of the block.
; launch: grid=1 block=128
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %low, ptr %high) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %t, 64
  %base = select i1 %first, ptr %low, ptr %high
  %i = and i32 %t, 63
  %slot = getelementptr i32, ptr %base, i32 %i
  store i32 %t, ptr %slot, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
