; A barrier for 64 threads, which both warps complete together.
; launch: grid=1 block=64
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [64 x i32] undef

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  store i32 %t, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %other = sub i32 63, %t
  %there = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %other
  %value = load i32, ptr addrspace(3) %there
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %value, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
