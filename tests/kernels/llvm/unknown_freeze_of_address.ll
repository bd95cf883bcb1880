; A distance of two addresses is frozen, and one of them was made of a product that may be poison.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %product = mul nsw i32 %t, 134217728
  %there = getelementptr i8, ptr %out, i32 %product
  %to = ptrtoint ptr %there to i64
  %from = ptrtoint ptr %out to i64
  %distance = sub i64 %to, %from
  %frozen = freeze i64 %distance
  %at = getelementptr i8, ptr %out, i64 %frozen
  store i32 %t, ptr %at, align 4 ; ~ HD0002
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
