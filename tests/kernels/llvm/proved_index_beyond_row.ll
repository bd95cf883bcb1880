; The same, and each thread has its own place in the output.
; launch: grid=1 block=any passes=races
target triple = "nvptx64-nvidia-cuda"

@rows = internal addrspace(3) global [8 x [8 x i32]] undef

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext i32 %t to i64
  %own = getelementptr [8 x [8 x i32]], ptr addrspace(3) @rows, i64 0, i64 1, i64 %at
  store i32 0, ptr addrspace(3) %own
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 %t, ptr addrspace(1) %place
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
