; A function of a library hands its second result back through a pointer: a store of four bytes.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = sitofp i32 %tid to float
  %even = mul i32 %tid, 2
  %odd = add i32 %even, 1
  %s = getelementptr float, ptr %p, i32 %even
  %c = getelementptr float, ptr %p, i32 %odd
  call void @__nv_sincosf(float %x, ptr %s, ptr %c)
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @__nv_sincosf(float, ptr, ptr)
