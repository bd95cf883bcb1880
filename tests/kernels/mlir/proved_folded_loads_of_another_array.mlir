// What no thread stores is read, and the result does not depend on what was read.
// launch: grid=1 block=64
gpu.module @kernels {
  gpu.func @k(%data: memref<68xi32>, %own: memref<64xi32>, %out: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %value = arith.index_cast %t : index to i32
    %next = arith.addi %t, %c1 : index
    %a = memref.load %data[%next] : memref<68xi32>
    %times = arith.muli %a, %zero : i32
    %b = memref.load %data[%next] : memref<68xi32>
    %less = arith.subi %b, %b : i32
    %c = affine.load %data[%t + 1] : memref<68xi32>
    %chosen = arith.select %true, %zero, %c : i32
    %d = vector.load %data[%next] : memref<68xi32>, vector<4xi32>
    %inserted = vector.insert %zero, %d [0] : i32 into vector<4xi32>
    %first = vector.extract %inserted[0] : i32 from vector<4xi32>
    %e = memref.load %data[%next] : memref<68xi32>
    %word = arith.index_cast %e : i32 to index
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 0)>(%t)[%word]
    %0 = arith.addi %times, %less : i32
    %1 = arith.addi %0, %chosen : i32
    %2 = arith.addi %1, %first : i32
    memref.store %2, %out[%at] : memref<64xi32>
    memref.store %value, %own[%t] : memref<64xi32>
    gpu.return
  }
}
