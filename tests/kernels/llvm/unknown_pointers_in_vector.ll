; A histogram of two places is no atomic, and gets its addresses as a vector.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o) {
  %one = insertelement <2 x ptr> poison, ptr %o, i32 0
  %both = insertelement <2 x ptr> %one, ptr %o, i32 1
  call void @llvm.experimental.vector.histogram.add.v2p0.i32(<2 x ptr> %both, i32 1, <2 x i1> splat (i1 true)) ; ~ HD0001
  ret void
}
declare void @llvm.experimental.vector.histogram.add.v2p0.i32(<2 x ptr>, i32, <2 x i1>)
