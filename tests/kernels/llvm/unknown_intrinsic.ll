; A matrix load of single bits reads memory in a shape that is not modelled.
; launch: grid=1 block=32
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call i32 @llvm.nvvm.wmma.m8n8k128.load.a.row.stride.b1.p1(ptr addrspace(1) %out, i32 128)   ; ~ HD0001
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %at
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.wmma.m8n8k128.load.a.row.stride.b1.p1(ptr addrspace(1), i32)
