; The kernels of `heddle gpu-check` (gpu_check.rs): LLVM IR, so that no compiler need be there. Blocks have 64 threads.
; In each, the first accesses in the text are those of `s` (a write, a read), then those of `out`.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@quiet = internal addrspace(3) global [64 x i32] undef, align 4
@race = internal addrspace(3) global [64 x i32] undef, align 4
@blocks = internal addrspace(3) global [64 x i32] undef, align 4
@outside = internal addrspace(3) global [64 x i32] undef, align 4
@endless = internal addrspace(3) global [64 x i32] undef, align 4

; s[t] = n; barrier; out[t] = s[t ^ 32]
define ptx_kernel void @heddle_probe_quiet(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr inbounds [64 x i32], ptr addrspace(3) @quiet, i32 0, i32 %t
  store i32 %n, ptr addrspace(3) %own, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %u = xor i32 %t, 32
  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @quiet, i32 0, i32 %u
  %value = load i32, ptr addrspace(3) %other, align 4
  %to = getelementptr inbounds i32, ptr %out, i32 %t
  store i32 %value, ptr %to, align 4
  ret void
}

; The same without the barrier.
define ptx_kernel void @heddle_probe_race(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr inbounds [64 x i32], ptr addrspace(3) @race, i32 0, i32 %t
  store i32 %n, ptr addrspace(3) %own, align 4
  %u = xor i32 %t, 32
  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @race, i32 0, i32 %u
  %value = load i32, ptr addrspace(3) %other, align 4
  %to = getelementptr inbounds i32, ptr %out, i32 %t
  store i32 %value, ptr %to, align 4
  ret void
}

; Each block stores its number besides.
define ptx_kernel void @heddle_probe_blocks(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = getelementptr inbounds [64 x i32], ptr addrspace(3) @blocks, i32 0, i32 %t
  store i32 %n, ptr addrspace(3) %own, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %u = xor i32 %t, 32
  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @blocks, i32 0, i32 %u
  %value = load i32, ptr addrspace(3) %other, align 4
  %sum = add i32 %value, %block
  %to = getelementptr inbounds i32, ptr %out, i32 %t
  store i32 %sum, ptr %to, align 4
  ret void
}

; out[t + n]
define ptx_kernel void @heddle_probe_outside(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr inbounds [64 x i32], ptr addrspace(3) @outside, i32 0, i32 %t
  store i32 %n, ptr addrspace(3) %own, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %u = xor i32 %t, 32
  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @outside, i32 0, i32 %u
  %value = load i32, ptr addrspace(3) %other, align 4
  %at = add i32 %t, %n
  %wide = sext i32 %at to i64
  %to = getelementptr i32, ptr %out, i64 %wide
  store i32 %value, ptr %to, align 4
  ret void
}

; while (s[t ^ 32] == n) {}
define ptx_kernel void @heddle_probe_endless(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr inbounds [64 x i32], ptr addrspace(3) @endless, i32 0, i32 %t
  store i32 %n, ptr addrspace(3) %own, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %u = xor i32 %t, 32
  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @endless, i32 0, i32 %u
  br label %again

again:
  %value = load volatile i32, ptr addrspace(3) %other, align 4
  %same = icmp eq i32 %value, %n
  br i1 %same, label %again, label %done

done:
  %to = getelementptr inbounds i32, ptr %out, i32 %t
  store i32 1, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
