; The short way through the checks, inlined before each access: what the thread has done itself, or knows from the last
; barrier of its block, is checked and recorded without a call. It records what the long way would; where it cannot tell,
; it has changed nothing that the long way reads. $NAMES are filled in from heddle_runtime::facts::offsets.

declare ptr @__heddle_facts() memory(none) nounwind willreturn
declare void @__heddle_access_slow(ptr, i32, i32, i32, i64) nounwind cold
declare void @__heddle_poll_slow() nounwind cold
declare void @__heddle_beyond(i64, i64, i64, i64, i32, i32) nounwind cold

define i64 @__heddle_special(i32 %which) alwaysinline {
  %facts = call ptr @__heddle_facts()
  %n = and i32 %which, 31
  %ids = getelementptr i8, ptr %facts, i64 $IDS
  %at = getelementptr i32, ptr %ids, i32 %n
  %id = load i32, ptr %at, !invariant.load !0
  %wide = zext i32 %id to i64
  ret i64 %wide
}

define ptr @__heddle_shared() alwaysinline {
  %facts = call ptr @__heddle_facts()
  %at = getelementptr i8, ptr %facts, i64 $SHARED_BASE
  %base = load ptr, ptr %at, !invariant.load !0
  ret ptr %base
}

define void @__heddle_site(i32 %site) alwaysinline {
  %facts = call ptr @__heddle_facts()
  %at = getelementptr i8, ptr %facts, i64 $SITE
  store i32 %site, ptr %at
  ret void
}

define void @__heddle_poll(i32 %site) alwaysinline {
  %facts = call ptr @__heddle_facts()
  %at = getelementptr i8, ptr %facts, i64 $FUEL
  %fuel = load i64, ptr %at
  %less = sub i64 %fuel, 1
  store i64 %less, ptr %at
  %empty = icmp eq i64 %less, 0
  br i1 %empty, label %slow, label %done, !prof !1
slow:
  store i64 $FULL, ptr %at
  call void @__heddle_poll_slow()
  br label %done
done:
  ret void
}

; Before an access to an array of so many bytes that is the thread's own, or constant: whether it stays in it, and begins a
; multiple of its alignment after the array does. The address itself goes nowhere, so that an array whose indices turn out
; to be constants still becomes registers.
define void @__heddle_private(ptr %base, i64 %len, ptr %p, i64 %bytes, i64 %aligned, i32 %site, i32 %write) alwaysinline {
  %first = ptrtoint ptr %base to i64
  %at = ptrtoint ptr %p to i64
  %offset = sub i64 %at, %first
  %small = icmp ule i64 %bytes, %len
  %most = sub i64 %len, %bytes
  %within = icmp ule i64 %offset, %most
  %fits = and i1 %small, %within
  %none = icmp eq i64 %bytes, 0
  %mask = sub i64 %aligned, 1
  %over = and i64 %offset, %mask
  %straight = icmp eq i64 %over, 0
  %both = and i1 %fits, %straight
  %good = or i1 %both, %none
  br i1 %good, label %done, label %bad, !prof !2
bad:
  %wanted = select i1 %fits, i64 %aligned, i64 1
  call void @__heddle_beyond(i64 %offset, i64 %len, i64 %bytes, i64 %wanted, i32 %site, i32 %write)
  br label %done
done:
  ret void
}

; Whether an access is the thread's own, or of its block and below the floor.
define i1 @heddle.covers(i64 %past, ptr %facts, i32 %floor) alwaysinline {
  %thread = trunc i64 %past to i32
  %high = lshr i64 %past, 32
  %clock = trunc i64 %high to i32
  %own.at = getelementptr i8, ptr %facts, i64 $OWN
  %own = load i32, ptr %own.at, !invariant.load !0
  %first.at = getelementptr i8, ptr %facts, i64 $FIRST
  %first = load i32, ptr %first.at, !invariant.load !0
  %threads.at = getelementptr i8, ptr %facts, i64 $THREADS
  %threads = load i32, ptr %threads.at, !invariant.load !0
  %is.own = icmp eq i32 %thread, %own
  %place = sub i32 %thread, %first
  %of.block = icmp ult i32 %place, %threads
  %before = icmp ult i32 %clock, %floor
  %known = and i1 %of.block, %before
  %covers = or i1 %is.own, %known
  ret i1 %covers
}

define i1 @heddle.load(ptr %cell, ptr %facts, i32 %site, i32 %floor, i1 %shared) alwaysinline {
  %now = load i64, ptr %facts
  %write = load i64, ptr %cell, align 4
  %write.known = call i1 @heddle.covers(i64 %write, ptr %facts, i32 %floor)
  %write.none = icmp eq i64 %write, 0
  %not.shared = xor i1 %shared, true
  %fresh = and i1 %write.none, %not.shared
  %write.good = or i1 %write.known, %fresh
  %other.site.at = getelementptr i8, ptr %cell, i64 $OTHER_SITE
  %other.site = load i32, ptr %other.site.at, align 4
  %wrote = and i32 %other.site, $WROTE
  %no.wrote = icmp eq i32 %wrote, 0
  %good = and i1 %write.good, %no.wrote
  br i1 %good, label %first, label %fail, !prof !2
first:
  %read.at = getelementptr i8, ptr %cell, i64 $READ
  %read = load i64, ptr %read.at, align 4
  %read.known = call i1 @heddle.covers(i64 %read, ptr %facts, i32 %floor)
  %read.none = icmp eq i64 %read, 0
  %read.free = or i1 %read.known, %read.none
  br i1 %read.free, label %put, label %second
second:
  %other.at = getelementptr i8, ptr %cell, i64 $OTHER
  %other = load i64, ptr %other.at, align 4
  %other.known = call i1 @heddle.covers(i64 %other, ptr %facts, i32 %floor)
  %other.none = icmp eq i64 %other, 0
  %other.free = or i1 %other.known, %other.none
  br i1 %other.free, label %put, label %third
third:
  %knows.at = getelementptr i8, ptr %facts, i64 $KNOWS
  %knows = load ptr, ptr %knows.at
  %no.more = icmp eq ptr %knows, null
  %warp.at = getelementptr i8, ptr %facts, i64 $WARP_FLOOR
  %warp = load i32, ptr %warp.at
  %no.warp = icmp ule i32 %warp, %floor
  %only.floors = and i1 %no.more, %no.warp
  ret i1 %only.floors
put:
  %slot = phi i64 [ $READ, %first ], [ $OTHER, %second ]
  %slot.at = getelementptr i8, ptr %cell, i64 %slot
  store i64 %now, ptr %slot.at, align 4
  %site.at = getelementptr i8, ptr %slot.at, i64 8
  store i32 %site, ptr %site.at, align 4
  ret i1 true
fail:
  ret i1 false
}

define i1 @heddle.store(ptr %cell, ptr %facts, i32 %site, i32 %floor) alwaysinline {
  %now = load i64, ptr %facts
  %read.at = getelementptr i8, ptr %cell, i64 $READ
  %other.at = getelementptr i8, ptr %cell, i64 $OTHER
  %write = load i64, ptr %cell, align 4
  %read = load i64, ptr %read.at, align 4
  %other = load i64, ptr %other.at, align 4
  %write.known = call i1 @heddle.covers(i64 %write, ptr %facts, i32 %floor)
  %write.none = icmp eq i64 %write, 0
  %write.good = or i1 %write.known, %write.none
  %reads = or i64 %read, %other
  %no.reads = icmp eq i64 %reads, 0
  br i1 %write.good, label %readers, label %fail, !prof !2
readers:
  br i1 %no.reads, label %put, label %ask
ask:
  %read.known = call i1 @heddle.covers(i64 %read, ptr %facts, i32 %floor)
  %read.none = icmp eq i64 %read, 0
  %read.good = or i1 %read.known, %read.none
  %other.known = call i1 @heddle.covers(i64 %other, ptr %facts, i32 %floor)
  %other.none = icmp eq i64 %other, 0
  %other.good = or i1 %other.known, %other.none
  %good = and i1 %read.good, %other.good
  br i1 %good, label %put, label %fail, !prof !2
put:
  store i64 %now, ptr %cell, align 4
  %site.at = getelementptr i8, ptr %cell, i64 $WRITE_SITE
  store i32 %site, ptr %site.at, align 4
  call void @llvm.memset.inline.p0.i64(ptr align 4 %read.at, i8 0, i64 24, i1 false)
  ret i1 true
fail:
  ret i1 false
}

declare void @llvm.memset.inline.p0.i64(ptr, i8, i64 immarg, i1 immarg)

; An atomic update of shared memory, by threads of the block that runs. `false`, and nothing changed, if there may be more to say.
define i1 @heddle.update(ptr %cell, ptr %facts, i32 %info) alwaysinline {
  %now = load i64, ptr %facts
  %floor.at = getelementptr i8, ptr %facts, i64 $SHARED_FLOOR
  %floor = load i32, ptr %floor.at
  %write = load i64, ptr %cell, align 4
  %write.site.at = getelementptr i8, ptr %cell, i64 $WRITE_SITE
  %write.info = load i32, ptr %write.site.at, align 4
  %read.at = getelementptr i8, ptr %cell, i64 $READ
  %read = load i64, ptr %read.at, align 4
  %read.site.at = getelementptr i8, ptr %cell, i64 $READ_SITE
  %other.at = getelementptr i8, ptr %cell, i64 $OTHER
  %other = load i64, ptr %other.at, align 4
  %other.site.at = getelementptr i8, ptr %cell, i64 $OTHER_SITE
  %other.info = load i32, ptr %other.site.at, align 4
  %write.known = call i1 @heddle.covers(i64 %write, ptr %facts, i32 %floor)
  %write.peer = call i1 @heddle.peer(i64 %write, i32 %write.info, ptr %facts)
  %write.good = or i1 %write.known, %write.peer
  %read.known = call i1 @heddle.covers(i64 %read, ptr %facts, i32 %floor)
  %read.none = icmp eq i64 %read, 0
  %read.good = or i1 %read.known, %read.none
  %other.known = call i1 @heddle.covers(i64 %other, ptr %facts, i32 %floor)
  %other.none = icmp eq i64 %other, 0
  %other.peer = call i1 @heddle.peer(i64 %other, i32 %other.info, ptr %facts)
  %other.old = or i1 %other.known, %other.none
  %other.good = or i1 %other.old, %other.peer
  %both = and i1 %write.good, %read.good
  %good = and i1 %both, %other.good
  br i1 %good, label %put, label %fail, !prof !2
put:
  store i64 %now, ptr %cell, align 4
  store i32 %info, ptr %write.site.at, align 4
  store i64 0, ptr %read.at, align 4
  store i32 0, ptr %read.site.at, align 4
  %was = and i32 %write.info, $ATOMIC
  %was.atomic = icmp ne i32 %was, 0
  %unknown = xor i1 %write.known, true
  %overtakes = and i1 %was.atomic, %unknown
  br i1 %overtakes, label %keep, label %rest
keep:
  store i64 %write, ptr %other.at, align 4
  %wrote = or i32 %write.info, $WROTE
  store i32 %wrote, ptr %other.site.at, align 4
  ret i1 true
rest:
  %other.wrote = and i32 %other.info, $WROTE
  %other.wrote.some = icmp ne i32 %other.wrote, 0
  %stays = and i1 %was.atomic, %other.wrote.some
  br i1 %stays, label %end, label %forget
forget:
  store i64 0, ptr %other.at, align 4
  store i32 0, ptr %other.site.at, align 4
  ret i1 true
end:
  ret i1 true
fail:
  ret i1 false
}

; Whether an access was atomic, of four bytes, and of the block.
define i1 @heddle.peer(i64 %past, i32 %info, ptr %facts) alwaysinline {
  %thread = trunc i64 %past to i32
  %first.at = getelementptr i8, ptr %facts, i64 $FIRST
  %first = load i32, ptr %first.at, !invariant.load !0
  %threads.at = getelementptr i8, ptr %facts, i64 $THREADS
  %threads = load i32, ptr %threads.at, !invariant.load !0
  %place = sub i32 %thread, %first
  %of.block = icmp ult i32 %place, %threads
  %was = and i32 %info, $KIND_OF_WORD
  %was.atomic = icmp eq i32 %was, $ATOMIC_WORD
  %peer = and i1 %of.block, %was.atomic
  ret i1 %peer
}

define i1 @heddle.cell(ptr %cell, ptr %facts, i32 %site, i32 %floor, i1 %shared, i1 %writes) alwaysinline {
  br i1 %writes, label %store, label %load
store:
  %stored = call i1 @heddle.store(ptr %cell, ptr %facts, i32 %site, i32 %floor)
  ret i1 %stored
load:
  %loaded = call i1 @heddle.load(ptr %cell, ptr %facts, i32 %site, i32 %floor, i1 %shared)
  ret i1 %loaded
}

; The low bits that an address must not have: those that the flags name, and two for the cells.
define i64 @heddle.alignment(i32 %flags) alwaysinline {
  %down = lshr i32 %flags, $ALIGNMENT_AT
  %power = and i32 %down, 15
  %wide = zext i32 %power to i64
  %size = shl i64 1, %wide
  %low = sub i64 %size, 1
  %mask = or i64 %low, 3
  ret i64 %mask
}

define void @__heddle_access(ptr %p, i32 %size, i32 %site, i32 %flags, i64 %value) alwaysinline {
start:
  %special = and i32 %flags, $SPECIAL
  %plain = icmp eq i32 %special, 0
  %known = icmp ne i32 %site, $NO_SITE
  %one = icmp eq i32 %size, 4
  %two = icmp eq i32 %size, 8
  %four = icmp eq i32 %size, 16
  %some = or i1 %one, %two
  %sized = or i1 %some, %four
  %both = and i1 %plain, %known
  %fits = and i1 %both, %sized
  br i1 %fits, label %quick, label %atomic
atomic:
  %kind = and i32 %flags, $UPDATE_MASK
  %relaxed = icmp eq i32 %kind, $UPDATE
  %updates = and i1 %relaxed, %one
  %named = and i1 %updates, %known
  %short = and i1 %named, $STACKLESS
  br i1 %short, label %update, label %slow
update:
  %u.facts = call ptr @__heddle_facts()
  %u.address = ptrtoint ptr %p to i64
  %u.mask = call i64 @heddle.alignment(i32 %flags)
  %u.low = and i64 %u.address, %u.mask
  %u.whole = icmp eq i64 %u.low, 0
  %u.base.at = getelementptr i8, ptr %u.facts, i64 $SHARED_BASE
  %u.base = load i64, ptr %u.base.at, !invariant.load !0
  %u.len.at = getelementptr i8, ptr %u.facts, i64 $SHARED_LEN
  %u.len = load i64, ptr %u.len.at, !invariant.load !0
  %u.offset = sub i64 %u.address, %u.base
  %u.within = icmp ult i64 %u.offset, %u.len
  %u.there = and i1 %u.whole, %u.within
  br i1 %u.there, label %counted, label %slow
counted:
  %u.cells.at = getelementptr i8, ptr %u.facts, i64 $SHARED_CELLS
  %u.cells = load ptr, ptr %u.cells.at, !invariant.load !0
  %u.distance = mul i64 %u.offset, $CELLS_PER_BYTE
  %u.cell = getelementptr i8, ptr %u.cells, i64 %u.distance
  %u.scope = and i32 %flags, 16
  %u.narrow = icmp eq i32 %u.scope, $NARROW
  %u.wide = select i1 %u.narrow, i32 0, i32 $WIDE
  %u.how = or i32 %u.wide, $ATOMIC_WORD
  %u.info = or i32 %site, %u.how
  %u.ok = call i1 @heddle.update(ptr %u.cell, ptr %u.facts, i32 %u.info)
  br i1 %u.ok, label %passed, label %slow, !prof !2
quick:
  %facts = call ptr @__heddle_facts()
  %writes = trunc i32 %flags to i1
  br i1 %writes, label %changes, label %aligned
changes:
  %idle.at = getelementptr i8, ptr %facts, i64 $IDLE
  %idle.of = load ptr, ptr %idle.at, !invariant.load !0
  %idle = load i64, ptr %idle.of
  %busy = icmp eq i64 %idle, 0
  br i1 %busy, label %aligned, label %slow, !prof !2
aligned:
  %address = ptrtoint ptr %p to i64
  %mask = call i64 @heddle.alignment(i32 %flags)
  %low = and i64 %address, %mask
  %whole = icmp eq i64 %low, 0
  br i1 %whole, label %place, label %slow, !prof !2
place:
  %shared.at = getelementptr i8, ptr %facts, i64 $SHARED_BASE
  %shared.base = load i64, ptr %shared.at, !invariant.load !0
  %shared.len.at = getelementptr i8, ptr %facts, i64 $SHARED_LEN
  %shared.len = load i64, ptr %shared.len.at, !invariant.load !0
  %shared.offset = sub i64 %address, %shared.base
  %in.shared = icmp ult i64 %shared.offset, %shared.len
  br i1 %in.shared, label %found, label %elsewhere
elsewhere:
  %global.at = getelementptr i8, ptr %facts, i64 $GLOBAL_BASE
  %global.base = load i64, ptr %global.at, !invariant.load !0
  %global.len.at = getelementptr i8, ptr %facts, i64 $GLOBAL_LEN
  %global.len = load i64, ptr %global.len.at, !invariant.load !0
  %global.offset = sub i64 %address, %global.base
  %in.global = icmp ult i64 %global.offset, %global.len
  br i1 %in.global, label %found, label %slow, !prof !2
found:
  %shared = phi i1 [ true, %place ], [ false, %elsewhere ]
  %offset = phi i64 [ %shared.offset, %place ], [ %global.offset, %elsewhere ]
  %cells.place = phi i64 [ $SHARED_CELLS, %place ], [ $GLOBAL_CELLS, %elsewhere ]
  %floor.place = phi i64 [ $SHARED_FLOOR, %place ], [ $FLOOR, %elsewhere ]
  %cells.at = getelementptr i8, ptr %facts, i64 %cells.place
  %cells = load ptr, ptr %cells.at, !invariant.load !0
  %floor.at = getelementptr i8, ptr %facts, i64 %floor.place
  %floor = load i32, ptr %floor.at
  %distance = mul i64 %offset, $CELLS_PER_BYTE
  %cell.0 = getelementptr i8, ptr %cells, i64 %distance
  %ok.0 = call i1 @heddle.cell(ptr %cell.0, ptr %facts, i32 %site, i32 %floor, i1 %shared, i1 %writes)
  br i1 %ok.0, label %first, label %slow, !prof !2
first:
  br i1 %one, label %done, label %next
next:
  %cell.1 = getelementptr i8, ptr %cell.0, i64 $CELL
  %ok.1 = call i1 @heddle.cell(ptr %cell.1, ptr %facts, i32 %site, i32 %floor, i1 %shared, i1 %writes)
  br i1 %ok.1, label %second, label %slow, !prof !2
second:
  br i1 %two, label %done, label %last
last:
  %cell.2 = getelementptr i8, ptr %cell.1, i64 $CELL
  %ok.2 = call i1 @heddle.cell(ptr %cell.2, ptr %facts, i32 %site, i32 %floor, i1 %shared, i1 %writes)
  br i1 %ok.2, label %third, label %slow, !prof !2
third:
  %cell.3 = getelementptr i8, ptr %cell.2, i64 $CELL
  %ok.3 = call i1 @heddle.cell(ptr %cell.3, ptr %facts, i32 %site, i32 %floor, i1 %shared, i1 %writes)
  br i1 %ok.3, label %done, label %slow, !prof !2
done:
  br label %passed
passed:
  %of = phi ptr [ %facts, %done ], [ %u.facts, %counted ]
  %site.at = getelementptr i8, ptr %of, i64 $SITE
  store i32 %site, ptr %site.at
  %accesses.at = getelementptr i8, ptr %of, i64 $ACCESSES
  %accesses = load i64, ptr %accesses.at
  %more = add i64 %accesses, 1
  store i64 %more, ptr %accesses.at
  ret void
slow:
  call void @__heddle_access_slow(ptr %p, i32 %size, i32 %site, i32 %flags, i64 %value)
  ret void
}

!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 65535}
!2 = !{!"branch_weights", i32 65535, i32 1}
