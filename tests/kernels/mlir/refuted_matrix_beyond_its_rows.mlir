// Threads store past the ends of rows, into rows of others.
// launch: grid=1 block=32x8 m_size1=16
gpu.module @kernels {
  gpu.func @k(%m: memref<?x?xi32>) kernel attributes {known_block_size = array<i32: 32, 8, 1>} {
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %width = memref.dim %m, %c1 : memref<?x?xi32>
    %at = arith.index_cast %x : index to i32
    %inside = arith.cmpi ult, %x, %c32 : index
    scf.if %inside {
      memref.store %at, %m[%y, %x] : memref<?x?xi32>  // ~ HD0101
    }
    gpu.return
  }
}
