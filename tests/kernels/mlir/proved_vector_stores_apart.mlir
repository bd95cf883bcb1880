// Vectors of four elements are stored four elements apart.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %width = arith.constant 4 : index
    %at = arith.muli %t, %width : index
    %v = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : vector<4xf32>
    vector.store %v, %out[%at] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
