// A reduction in workgroup memory has no barrier between its steps.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%in: memref<64xf32>, %out: memref<1xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c32 = arith.constant 32 : index
    %own = memref.load %in[%t] : memref<64xf32>
    memref.store %own, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    scf.for %i = %c0 to %c6 step %c1 {
      %half = arith.shrui %c32, %i : index
      %works = arith.cmpi ult, %t, %half : index
      scf.if %works {
        %other = arith.addi %t, %half : index
        %a = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
        %b = memref.load %s[%other] : memref<64xf32, #gpu.address_space<workgroup>>
        %sum = arith.addf %a, %b : f32
        memref.store %sum, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>  // ~ HD0101
      }
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %all = memref.load %s[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %all, %out[%c0] : memref<1xf32>
    }
    gpu.return
  }
}
