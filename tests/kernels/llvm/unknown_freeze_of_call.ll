; What a function makes of a product that may be poison is frozen: the machine's number is 0 to 31.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %product = mul nsw i32 %t, 134217728
  %turned = call i32 @llvm.fshl.i32(i32 %product, i32 %product, i32 5)
  %index = freeze i32 %turned
  %at = getelementptr i32, ptr %out, i32 %index
  store i32 %t, ptr %at, align 4 ; ~ HD0002
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.fshl.i32(i32, i32, i32)
