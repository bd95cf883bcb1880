; A load through an undefined pointer decides what is stored where: no proof rests on it.
; launch: grid=1 block=32
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %value = load i32, ptr poison
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %value
  store i32 %value, ptr addrspace(1) %at ; ~ HD0002
  ret void
}
