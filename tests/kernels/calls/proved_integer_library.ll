; Functions of integers that a toolkit's headers call have their exact value.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = call i32 @__nv_umin(i32 %tid, i32 63)
  %high = call i32 @__nv_umulhi(i32 %tid, i32 -2147483648)
  %pair = call i32 @__nv_umul24(i32 %high, i32 2)
  %odd = sub i32 %low, %pair
  %index = add i32 %pair, %odd
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %index
  store i32 %tid, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @__nv_umin(i32, i32)
declare i32 @__nv_umulhi(i32, i32)
declare i32 @__nv_umul24(i32, i32)
