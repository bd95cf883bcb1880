// Some threads wait at the barrier of one branch, the others at the same words in the other.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %c5 = arith.constant 5 : index
    %few = arith.cmpi ult, %t, %c5 : index
    scf.if %few {
      gpu.barrier // ~ HD0201
    } else {
      gpu.barrier // ~ HD0201
    }
    gpu.return
  }
}
