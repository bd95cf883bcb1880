; A loop with two entries stores at slots of its own thread only.
; launch: grid=1 block=64
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, i32 %n, i1 %late) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br i1 %late, label %right, label %left

left:
  %i = phi i32 [ 0, %entry ], [ %k, %right ]
  %row = mul nsw i32 %i, 64
  %at = add nsw i32 %row, %t
  %slot = getelementptr i32, ptr %out, i32 %at
  store i32 %t, ptr %slot, align 4
  %more = icmp slt i32 %i, %n
  br i1 %more, label %right, label %done

right:
  %j = phi i32 [ 5, %entry ], [ %i, %left ]
  %k = add nsw i32 %j, 1
  br label %left

done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
