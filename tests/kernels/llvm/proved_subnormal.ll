; What is written for a subnormal number has a place for each thread.
; launch: grid=1 block=32
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @subnormal(ptr addrspace(1) %x, ptr addrspace(1) %y)  {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = load float, ptr addrspace(1) %x
  %positive = fcmp ogt float %v, 0.0
  %tiny = fcmp olt float %v, 0x3810000000000000
  %both = and i1 %positive, %tiny
  br i1 %both, label %store, label %end

store:
  %to = getelementptr i32, ptr addrspace(1) %y, i32 %tid
  store i32 %tid, ptr addrspace(1) %to
  br label %end

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
