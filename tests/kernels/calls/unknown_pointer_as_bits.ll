; A call hands over the bits of a pointer, and one of the functions takes a pointer: it may be meant as well.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"

@steps = addrspace(1) global [2 x ptr] [ptr @halved, ptr @nothing]

define internal void @halved(ptr %x, i32 %i) {
  %half = lshr i32 %i, 1
  %place = getelementptr i32, ptr %x, i32 %half
  store i32 %i, ptr %place
  ret void
}

define internal void @nothing(i64 %x, i32 %i) {
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %x, i32 %which) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr ptr, ptr addrspace(1) @steps, i32 %which
  %step = load ptr, ptr addrspace(1) %at
  %bits = ptrtoint ptr %x to i64
  call void %step(i64 %bits, i32 %t)   ; ~ HD0001
  ret void
}
