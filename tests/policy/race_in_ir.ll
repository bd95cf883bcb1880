; A race in IR, allowed by a comment of IR.
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %found) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %found ; heddle: allow(HD0101) any winner will do
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
