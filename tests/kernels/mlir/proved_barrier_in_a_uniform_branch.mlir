// All threads reach the barrier or none, since the condition is an argument.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<64xindex>, %n: index) kernel {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %few = arith.cmpi ult, %n, %c32 : index
    scf.if %few {
      gpu.barrier
    }
    memref.store %t, %out[%t] : memref<64xindex>
    gpu.return
  }
}
