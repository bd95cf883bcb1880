// A load races although nothing uses what it gives.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%a: memref<65xf32>, %b: memref<65xf32>) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f32
    %next = arith.addi %t, %c1 : index
    memref.store %f, %a[%t] : memref<65xf32>  // ~ HD0101
    %unused = memref.load %a[%next] : memref<65xf32>
    gpu.return
  }
}
