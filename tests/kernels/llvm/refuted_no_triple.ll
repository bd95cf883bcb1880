; A module without a triple, as generators write it: its kernel shows what it is for.
; launch: grid=1 block=64
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = udiv i32 %t, 2
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %half
  store i32 %t, ptr addrspace(1) %at   ; ~ HD0101
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
