// Each lane stores what its neighbour gave to its own element, in the llvm and nvvm dialects.
// launch: grid=1 block=64
gpu.module @kernels {
  llvm.func @k(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %clamp = llvm.mlir.constant(31 : i32) : i32
    %v = nvvm.shfl.sync bfly %all, %t, %one, %clamp : i32 -> i32
    %warp = llvm.lshr %t, %five : i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
