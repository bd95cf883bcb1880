; A branch whose both sides store to elements of their own, whatever the compiler knows of the argument.
; launch: grid=1 block=64
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %known = call i1 @llvm.is.constant.i32(i32 %n)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = sub i32 63, %t
  %at = select i1 %known, i32 %half, i32 %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %t, ptr addrspace(1) %to
  ret void
}

declare i1 @llvm.is.constant.i32(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
