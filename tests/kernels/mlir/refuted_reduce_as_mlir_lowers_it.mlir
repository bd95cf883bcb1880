// MLIR lowers a reduction over a block to lanes that store where lane 0 read, with exchanges of lanes between.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%in: memref<64xf32>, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %own = memref.load %in[%t] : memref<64xf32>
    %sum = gpu.all_reduce add %own uniform {} : (f32) -> (f32)  // ~ HD0104
    memref.store %sum, %out[%t] : memref<64xf32>
    gpu.return
  }
}
