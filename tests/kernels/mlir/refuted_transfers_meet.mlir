// Vectors that reach past the end of an array are cut off there, and the others meet.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%in: memref<?xi32>, %out: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %at = arith.muli %t, %c2 : index
    %v = vector.transfer_read %in[%at], %zero : memref<?xi32>, vector<4xi32>
    vector.transfer_write %v, %out[%at] : vector<4xi32>, memref<64xi32>  // ~ HD0101
    gpu.return
  }
}
