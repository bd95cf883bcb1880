; Intrinsics for rows of matrices touch 16 bytes for each lane, and fences of asynchronous products are no barriers.
; launch: grid=1 block=32
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [128 x i32] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %p) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = mul i32 %tid, 4
  %row = getelementptr i32, ptr addrspace(3) @s, i32 %at
  store <4 x i32> zeroinitializer, ptr addrspace(3) %row
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %a = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %row)
  %b = extractvalue { i32, i32, i32, i32 } %a, 0
  %out = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  store i32 %b, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
attributes #0 = { "target-cpu"="sm_90a" }
