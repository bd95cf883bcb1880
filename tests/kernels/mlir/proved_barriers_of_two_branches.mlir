// All threads wait at the barrier of one branch, or all at the same words in the other.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<64xi32>, %n: index) kernel {
    %c5 = arith.constant 5 : index
    %few = arith.cmpi ult, %n, %c5 : index
    scf.if %few {
      gpu.barrier
    } else {
      gpu.barrier
    }
    gpu.return
  }
}
