; Threads without stacks. A thread is a coroutine whose frame lies beside those of the others of its block; it stops where the
; block's barrier is, and nowhere else. Linked in two steps: the first part before the kernel is optimised, the second behind.
; $NAMES are filled in from heddle_runtime::facts::offsets; @__heddle_facts is replaced by the second argument of the entry.

declare ptr @__heddle_facts() memory(none) nounwind willreturn
declare i32 @heddle.wait(ptr, i32, i32, i32, i32) convergent nounwind

define i32 @__heddle_barrier(i32 %id, i32 %action, i32 %count, i32 %value) alwaysinline {
  %facts = call ptr @__heddle_facts()
  %result = call i32 @heddle.wait(ptr %facts, i32 %id, i32 %action, i32 %count, i32 %value)
  ret i32 %result
}

; An atomic that changed nothing may be of a loop that waits; such a loop comes to the end of its fuel, and the run is made again.
define void @__heddle_atomic_done(ptr %p, i32 %bytes) alwaysinline {
  ret void
}

; -- second part --

declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare i64 @llvm.coro.size.i64()
declare ptr @llvm.coro.begin(token, ptr)
declare i8 @llvm.coro.suspend(token, i1)
declare void @llvm.coro.end(ptr, i1, token)
declare void @llvm.coro.resume(ptr)
declare void @heddle.leave() noreturn
declare void @__heddle_kernel_entry(ptr, ptr)

; Says where the thread is, and stops it. What it says of the place is the same for all that meet there: the site, the action,
; and what the barrier orders (action 5); values of the others are counted.
define i32 @heddle.wait(ptr %facts, i32 %id, i32 %action, i32 %count, i32 %value) alwaysinline {
  %site.at = getelementptr i8, ptr %facts, i64 $SITE
  %site = load i32, ptr %site.at
  %some = icmp eq i32 %action, 5
  %orders = select i1 %some, i32 %value, i32 0
  %shifted = shl i32 %orders, 8
  %how = or i32 %shifted, %action
  %high = zext i32 %site to i64
  %site.high = shl i64 %high, 32
  %low = zext i32 %how to i64
  %here = or i64 %site.high, %low
  %here.at = getelementptr i8, ptr %facts, i64 $HERE
  store i64 %here, ptr %here.at
  %set = icmp ne i32 %value, 0
  %one = zext i1 %set to i32
  %set.at = getelementptr i8, ptr %facts, i64 $SET
  %sets = load i32, ptr %set.at
  %more = add i32 %sets, %one
  store i32 %more, ptr %set.at
  %woken = call i8 @llvm.coro.suspend(token none, i1 false)
  switch i8 %woken, label %leave [ i8 0, label %go
                                   i8 1, label %leave ]
go:
  %result.at = getelementptr i8, ptr %facts, i64 $RESULT
  %result = load i32, ptr %result.at
  ret i32 %result
leave:
  call void @heddle.leave()
  unreachable
}

define ptr @heddle.thread(ptr %arguments, ptr %facts, ptr %frame) presplitcoroutine {
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %asked = icmp eq ptr %frame, null
  br i1 %asked, label %size, label %begin
size:
  %bytes = call i64 @llvm.coro.size.i64()
  %answer = inttoptr i64 %bytes to ptr
  ret ptr %answer
begin:
  %handle = call noalias ptr @llvm.coro.begin(token %id, ptr %frame)
  call void @__heddle_kernel_entry(ptr %arguments, ptr %facts)
  %here.at = getelementptr i8, ptr %facts, i64 $HERE
  store i64 -1, ptr %here.at
  %last = call i8 @llvm.coro.suspend(token none, i1 true)
  switch i8 %last, label %leave [ i8 0, label %never
                                  i8 1, label %leave ]
never:
  unreachable
leave:
  call void @llvm.coro.end(ptr %handle, i1 false, token none)
  ret ptr %handle
}

; Bytes of a thread's frame.
define i64 @__heddle_frame_bytes() {
  %answer = call ptr @heddle.thread(ptr null, ptr null, ptr null)
  %bytes = ptrtoint ptr %answer to i64
  ret i64 %bytes
}

; Makes the facts those of a thread.
define void @heddle.turn(ptr %facts, ptr %rows, i64 %thread) alwaysinline {
  %distance = shl i64 %thread, 5
  %row = getelementptr i8, ptr %rows, i64 %distance
  %xyz = load <4 x i32>, ptr %row, align 16
  %ids = getelementptr i8, ptr %facts, i64 $IDS
  store <4 x i32> %xyz, ptr %ids, align 4
  %lane.of = getelementptr i8, ptr %row, i64 16
  %lane = load i64, ptr %lane.of, align 8
  %lane.at = getelementptr i8, ptr %ids, i64 48
  store i64 %lane, ptr %lane.at, align 4
  %first.at = getelementptr i8, ptr %facts, i64 $FIRST
  %first = load i32, ptr %first.at
  %index = trunc i64 %thread to i32
  %own = add i32 %first, %index
  %own.at = getelementptr i8, ptr %facts, i64 $OWN
  store i32 %own, ptr %own.at
  ret void
}

; Starts the threads of a block one by one. Gives whether they are not all at one place.
define i64 @__heddle_start(ptr %arguments, ptr %facts, ptr %frames, i64 %stride, ptr %rows, i64 %from, i64 %step, i64 %count) {
start:
  %here.at = getelementptr i8, ptr %facts, i64 $HERE
  br label %loop
loop:
  %n = phi i64 [ 0, %start ], [ %next.n, %loop ]
  %thread = phi i64 [ %from, %start ], [ %next, %loop ]
  %differs = phi i64 [ 0, %start ], [ %differing, %loop ]
  %before = phi i64 [ 0, %start ], [ %here, %loop ]
  call void @heddle.turn(ptr %facts, ptr %rows, i64 %thread)
  %distance = mul i64 %thread, %stride
  %frame = getelementptr i8, ptr %frames, i64 %distance
  %handle = call ptr @heddle.thread(ptr %arguments, ptr %facts, ptr %frame)
  %here = load i64, ptr %here.at
  %first = icmp eq i64 %n, 0
  %other = xor i64 %here, %before
  %new = select i1 %first, i64 0, i64 %other
  %differing = or i64 %differs, %new
  %next = add i64 %thread, %step
  %next.n = add i64 %n, 1
  %more = icmp ult i64 %next.n, %count
  br i1 %more, label %loop, label %done
done:
  ret i64 %differing
}

; The same from where they stopped.
define i64 @__heddle_resume(ptr %arguments, ptr %facts, ptr %frames, i64 %stride, ptr %rows, i64 %from, i64 %step, i64 %count) {
start:
  %here.at = getelementptr i8, ptr %facts, i64 $HERE
  br label %loop
loop:
  %n = phi i64 [ 0, %start ], [ %next.n, %loop ]
  %thread = phi i64 [ %from, %start ], [ %next, %loop ]
  %differs = phi i64 [ 0, %start ], [ %differing, %loop ]
  %before = phi i64 [ 0, %start ], [ %here, %loop ]
  call void @heddle.turn(ptr %facts, ptr %rows, i64 %thread)
  %distance = mul i64 %thread, %stride
  %frame = getelementptr i8, ptr %frames, i64 %distance
  call void @llvm.coro.resume(ptr %frame)
  %here = load i64, ptr %here.at
  %first = icmp eq i64 %n, 0
  %other = xor i64 %here, %before
  %new = select i1 %first, i64 0, i64 %other
  %differing = or i64 %differs, %new
  %next = add i64 %thread, %step
  %next.n = add i64 %n, 1
  %more = icmp ult i64 %next.n, %count
  br i1 %more, label %loop, label %done
done:
  ret i64 %differing
}
