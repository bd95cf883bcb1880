// Thread 0 of each block stores to one element, and the kernel knows that there is one block.
// launch: as-launched
gpu.module @kernels {
  gpu.func @k(%out: memref<64xindex>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %b, %out[%c0] : memref<64xindex>
    }
    gpu.return
  }
}
