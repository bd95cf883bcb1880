; An atomic addition of block scope is not atomic towards other blocks.
; launch: grid=4 block=64
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %count) {
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 syncscope("block") monotonic, align 4   ; ~ HD0102
  ret void
}
