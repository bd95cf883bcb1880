// A grid-stride loop steps by the number of threads of the grid.
// launch: grid=4 block=64
gpu.module @kernels {
  gpu.func @k(%out: memref<?xindex>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %blocks = gpu.grid_dim x
    %threads = gpu.block_dim x
    %base = arith.muli %b, %threads : index
    %first = arith.addi %base, %t : index
    %step = arith.muli %blocks, %threads : index
    %n = memref.dim %out, %c0 : memref<?xindex>
    scf.for %i = %first to %n step %step {
      memref.store %t, %out[%i] : memref<?xindex>
    }
    gpu.return
  }
}
