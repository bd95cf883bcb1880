// Integers of each warp are reduced by one instruction.
// launch: grid=1 block=64
gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
  gpu.func @k(%in: memref<64xi32>, %out: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %own = memref.load %in[%t] : memref<64xi32>
    %sum = gpu.subgroup_reduce add %own uniform : (i32) -> i32
    memref.store %sum, %out[%t] : memref<64xi32>
    gpu.return
  }
}
