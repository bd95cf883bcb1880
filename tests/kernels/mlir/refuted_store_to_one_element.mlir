// All threads store their number to one element of a memref.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<64xindex>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    memref.store %t, %out[%c0] : memref<64xindex>  // ~ HD0101
    gpu.return
  }
}
