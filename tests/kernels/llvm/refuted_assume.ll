; Without an assumption the second row may start inside the first.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, i32 %width) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %a, align 4   ; ~ HD0101
  %wide = sext i32 %width to i64
  %row = getelementptr i32, ptr %a, i64 %wide
  store i32 -1, ptr %row, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
