; A function that touches nothing may still tell each thread something else: here it decides who waits.
; launch: grid=1 block=32
target triple = "nvptx64-nvidia-cuda"

declare i32 @who() nosync willreturn memory(none)
declare void @llvm.nvvm.barrier0()

define ptx_kernel void @k(ptr %out) {
entry:
  %who = call i32 @who()
  %first = icmp eq i32 %who, 0
  br i1 %first, label %wait, label %done
wait:
  call void @llvm.nvvm.barrier0()   ; ~ HD0002
  br label %done
done:
  ret void
}
