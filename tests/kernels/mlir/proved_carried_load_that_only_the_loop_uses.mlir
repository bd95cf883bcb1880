// A sum of what no thread stores goes around a loop of blocks, and nothing else uses it.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%data: memref<68xi32>, %own: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %value = arith.index_cast %t : index to i32
    cf.br ^head(%c0, %zero : index, i32)
  ^head(%i: index, %sum: i32):
    %more = arith.cmpi ult, %i, %c4 : index
    cf.cond_br %more, ^body, ^end
  ^body:
    %next = arith.addi %i, %c1 : index
    %at = arith.addi %t, %next : index
    %read = memref.load %data[%at] : memref<68xi32>
    %added = arith.addi %sum, %read : i32
    cf.br ^head(%next, %added : index, i32)
  ^end:
    memref.store %value, %own[%t] : memref<64xi32>
    gpu.return
  }
}
