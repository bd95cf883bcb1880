; A matrix store of a warp writes memory in a shape that depends on all lanes and that is not modelled.
; launch: grid=1 block=32
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = sitofp i32 %t to float
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p1(ptr addrspace(1) %out, float %v, float %v, float %v, float %v, float %v, float %v, float %v, float %v, i32 16)   ; ~ HD0001
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p1(ptr addrspace(1), float, float, float, float, float, float, float, float, i32)
