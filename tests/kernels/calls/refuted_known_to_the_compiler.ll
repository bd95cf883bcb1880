; A branch that is taken because its number is a constant.
; launch: grid=1 block=64
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %known = call i1 @llvm.is.constant.i32(i32 5)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = lshr i32 %t, 1
  %at = select i1 %known, i32 %half, i32 %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %t, ptr addrspace(1) %to ; ~ HD0101
  ret void
}

declare i1 @llvm.is.constant.i32(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
