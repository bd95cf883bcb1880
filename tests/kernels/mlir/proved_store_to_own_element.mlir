// Each thread stores its number to an element of its own.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<64xindex>) kernel {
    %t = gpu.thread_id x
    memref.store %t, %out[%t] : memref<64xindex>
    gpu.return
  }
}
