; The definition may be replaced when modules are linked: its initialiser is not the last word.
; launch: grid=1 block=64
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@tab = weak addrspace(1) constant [4 x i32] [i32 3, i32 1, i32 2, i32 0]

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 3
  %few = icmp ult i32 %t, 4
  br i1 %few, label %in, label %out

in:
  %p = getelementptr [4 x i32], ptr addrspace(1) @tab, i32 0, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %a, i32 %v
  store i32 %t, ptr addrspace(1) %q ; ~ HD0002
  br label %out

out:
  ret void
}
