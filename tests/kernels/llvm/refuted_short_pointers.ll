; Pointers to shared memory have 32 bits, so that steps of 2^32 bytes lead nowhere.
; launch: grid=1 block=64
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %by = shl i64 %wide, 32
  %at = getelementptr i8, ptr addrspace(3) @s, i64 %by
  store i32 %tid, ptr addrspace(3) %at ; ~ HD0101
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
