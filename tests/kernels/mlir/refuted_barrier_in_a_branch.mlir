// Half of the threads reach the barrier.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<64xindex>, %n: index) kernel {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %few = arith.cmpi ult, %t, %c32 : index
    scf.if %few {
      gpu.barrier  // ~ HD0201
    }
    memref.store %t, %out[%t] : memref<64xindex>
    gpu.return
  }
}
