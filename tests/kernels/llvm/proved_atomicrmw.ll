; An atomic addition without a scope of its own counts over the whole device.
; launch: grid=any block=any
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %count) {
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 seq_cst, align 4
  ret void
}
