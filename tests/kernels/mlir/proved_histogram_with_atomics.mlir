// A histogram adds to its bins with atomics.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%in: memref<64xindex>, %bins: memref<16xi32>) kernel {
    %t = gpu.thread_id x
    %c15 = arith.constant 15 : index
    %weight = arith.index_cast %t : index to i32
    %value = memref.load %in[%t] : memref<64xindex>
    %bin = arith.andi %value, %c15 : index
    %old = memref.atomic_rmw addi %weight, %bins[%bin] : (i32, memref<16xi32>) -> i32
    gpu.return
  }
}
