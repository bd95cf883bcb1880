// Workgroup memory is written, a barrier passes, and it is read in reverse.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<64xindex>) workgroup(%s: memref<64xindex, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    memref.store %t, %s[%t] : memref<64xindex, #gpu.address_space<workgroup>>
    gpu.barrier
    %other = arith.subi %c63, %t : index
    %v = memref.load %s[%other] : memref<64xindex, #gpu.address_space<workgroup>>
    memref.store %v, %out[%t] : memref<64xindex>
    gpu.return
  }
}
