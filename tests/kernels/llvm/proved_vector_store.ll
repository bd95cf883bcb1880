; A vector of two is stored through a generic pointer that was cast from shared memory.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [128 x i32] undef, align 8

define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %generic = addrspacecast ptr addrspace(3) @s to ptr
  %pair = getelementptr <2 x i32>, ptr %generic, i32 %t
  %v0 = insertelement <2 x i32> poison, i32 %t, i32 0
  %v = insertelement <2 x i32> %v0, i32 7, i32 1
  store <2 x i32> %v, ptr %pair, align 8
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %from = getelementptr [128 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  %x = load i32, ptr addrspace(3) %from, align 4
  %slot = getelementptr i32, ptr %out, i32 %t
  store i32 %x, ptr %slot, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
