// Vectors that reach past the end of an array are cut off there, and the others are apart.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%in: memref<?xi32>, %out: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %at = arith.muli %t, %c4 : index
    %v = vector.transfer_read %in[%at], %zero : memref<?xi32>, vector<4xi32>
    vector.transfer_write %v, %out[%at] : vector<4xi32>, memref<64xi32>
    gpu.return
  }
}
