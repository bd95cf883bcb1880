// A function that the kernel calls stores to the element of each thread.
// launch: grid=1 block=64
gpu.module @kernels {
  func.func private @put(%to: memref<64xindex>, %at: index, %what: index) {
    memref.store %what, %to[%at] : memref<64xindex>
    return
  }
  gpu.func @k(%out: memref<64xindex>) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %half = arith.shrui %t, %c1 : index
    func.call @put(%out, %t, %t) : (memref<64xindex>, index, index) -> ()
    gpu.return
  }
}
