// After a shuffle one lane stores to the element of its warp.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%in: memref<64xf32>, %out: memref<2xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c31 = arith.constant 31 : index
    %half = arith.constant 16 : i32
    %width = arith.constant 32 : i32
    %own = memref.load %in[%t] : memref<64xf32>
    %far, %valid = gpu.shuffle xor %own, %half, %width : f32
    %sum = arith.addf %own, %far : f32
    %warp = arith.shrui %t, %c5 : index
    %lane = arith.andi %t, %c31 : index
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %sum, %out[%warp] : memref<2xf32>
    }
    gpu.return
  }
}
