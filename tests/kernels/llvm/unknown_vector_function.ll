; What a function does with a vector need not go lane by lane: it may hand the thread's number on to the other lane.
; launch: grid=1 block=32
target triple = "nvptx64-nvidia-cuda"

declare <2 x i32> @swap(<2 x i32>) nosync willreturn memory(none)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pair = insertelement <2 x i32> zeroinitializer, i32 %tid, i64 0
  %swapped = call <2 x i32> @swap(<2 x i32> %pair)
  %other = extractelement <2 x i32> %swapped, i64 1
  %first = icmp eq i32 %other, 0
  br i1 %first, label %wait, label %done
wait:
  call void @llvm.nvvm.barrier0()   ; ~ HD0002
  br label %done
done:
  ret void
}
