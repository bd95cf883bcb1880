; The kernel calls a function whose address it gets as an argument.
; launch: grid=1 block=32
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, ptr %f) {
  call void %f(ptr %out)   ; ~ HD0001
  ret void
}
