// The device library: what instrumented code calls on a GPU. docs/dynamic.md has the list; runtime/src/abi.rs the numbers.
//
// **Promises**: what it reports no barrier ordered, and no fence or atomic could have; it waits for nobody (but, at the
// start, for the thread that finds the block its shadow), and takes no shared memory. What it misses is said in access.c.
// **Does not**: order anything for the kernel, print, allocate. One file for the compiler, which inlines what is small.
//
// Compiled for NVPTX by clang alone, without CUDA; without __NVPTX__ it is a library for tests.
#include "platform.h"
#include "report.c"
#include "sync.c"
#include "access.c"

// The version, by which the host knows the library that a module was linked with.
ENTRY CONSTANT const u32 __heddle_abi_2 __attribute__((used)) = ABI_VERSION;
ENTRY CONSTANT struct Launch __heddle_launch __attribute__((used)) = {0};

// At the start of a kernel. `shared_base` is the offset of its variables in shared memory, all ones if it has none.
ENTRY void __heddle_gpu_enter(struct Thread *t, u64 shared_base) {
  u32 number = block_in_grid(), thread = thread_in_block();
  t->who = (u64)number << BLOCK_AT | (u64)thread << THREAD_AT;
  t->epoch = 1;
  t->warp_epoch = 0;
  t->site = 0;
  t->acquired = 0;
  t->flags = 0;
  t->polls = 0;
  t->warp = number * ((threads_of_block() + 31) / 32) + thread / 32;
  t->accesses = 0;
  t->shared_base = shared_base;
  t->slot = slot_of(number);
  delay(t);
}

// Before each return of a kernel, and before the thread ends itself.
ENTRY void __heddle_gpu_leave(struct Thread *t) { leave(t); }

ENTRY void __heddle_gpu_site(struct Thread *t, u32 site) { t->site = site; }

// What an atomic or volatile access orders. A fence before it, or after it, says so itself.
INSIDE void synchronize(struct Thread *t, u32 flags) {
  if (!(flags & (FLAG_ATOMIC | FLAG_VOLATILE))) return;
  u32 order = flags >> 2 & 3, wide = flags & FLAG_ATOMIC ? flags >> 4 & 1 : 1;
  if (order & 2 && (flags & 3) != KIND_LOAD) release(t, wide);
  if (order & 1) acquire(t, wide);
  t->flags |= wide ? READ_WIDE : READ_NARROW;
}

ENTRY void __heddle_gpu_access(struct Thread *t, void *p, u32 size, u32 site, u32 flags, u64 value) {
  checked_access(t, p, size, site, flags, value);
  synchronize(t, flags);
}

ENTRY void __heddle_gpu_range(struct Thread *t, void *p, u64 size, u32 site, u32 write) {
  if (size) checked_access(t, p, size, site, write & 1, 0);
}

ENTRY void __heddle_gpu_atomic_done(struct Thread *t, void *p, u32 size) {
  (void)t;
  (void)p;
  (void)size;
}

// Once in each iteration of a loop: the host can end threads that would never end.
ENTRY void __heddle_gpu_poll(struct Thread *t, u32 site) {
  (void)site;
  if (++t->polls % 1024 || !load(&counters()->stop)) return;
  add(&counters()->stopped, 1u);
  leave(t);
  end_thread();
}

// Whether all threads of the block wait at a barrier for so many.
INSIDE int is_whole(u32 count) { return !count || count >= threads_of_block(); }

// Before and after a barrier of the block. `count` is the threads that take part, zero for all; one, where some may be
// counted that arrive and do not wait.
ENTRY void __heddle_gpu_barrier(struct Thread *t, u32 id, u32 count) {
  if (!is_whole(count)) release(t, 0);
  tell(t);
  waits(t, WAITS_BLOCK_BARRIER, id);
}

ENTRY void __heddle_gpu_barrier_done(struct Thread *t, u32 id, u32 count) {
  (void)id;
  goes_on(t);
  learn(t);
  if (!is_whole(count)) {
    acquire(t, 0);
    return;
  }
  t->warp_epoch = 0;
  if (t->epoch < MOST_EPOCH && ++t->epoch == MOST_EPOCH && thread_of(t->who) == 0)
    add(&counters()->epochs_spent, 1u);
  delay(t);
}

// An arrival that does not wait: `bar.arrive`, and of barrier objects and clusters.
ENTRY void __heddle_gpu_arrive(struct Thread *t, u32 wide) { release(t, wide); }

// Before and after a wait for others than the block's barriers: 3 for a cluster, 4 for a barrier object.
ENTRY void __heddle_gpu_wait(struct Thread *t, u32 kind) { waits(t, kind, 0); }

ENTRY void __heddle_gpu_wait_done(struct Thread *t, u32 wide) {
  goes_on(t);
  learn(t);
  acquire(t, wide);
}

// Before and after `bar.warp.sync`.
ENTRY void __heddle_gpu_warp_barrier(struct Thread *t, u32 mask) {
  u32 all = live_threads_of_warp(thread_of(t->who) / 32);
  if ((mask & all) != all) release(t, 0);
  tell(t);
  waits(t, WAITS_WARP_BARRIER, 0);
}

ENTRY void __heddle_gpu_warp_barrier_done(struct Thread *t, u32 mask) {
  u32 all = live_threads_of_warp(thread_of(t->who) / 32);
  goes_on(t);
  learn(t);
  if ((mask & all) != all)
    acquire(t, 0);
  else {
    // What one lane acquired within the block, all know now.
    if (load(&block_at(block_of(t->who))->released) > t->epoch) acquire(t, 0);
    if (t->warp_epoch < MOST_WARP_EPOCH) t->warp_epoch++;
  }
}

// Before a fence: publishes what was done, takes over what atomics have read. `wide` reaches beyond the block.
ENTRY void __heddle_gpu_fence(struct Thread *t, u32 wide) {
  release(t, wide);
  if (t->flags & READ_WIDE) acquire(t, wide);
  else if (t->flags & READ_NARROW) acquire(t, 0);
}

// Anything whose order is not known: taken to order everything.
ENTRY void __heddle_gpu_unknown(struct Thread *t) {
  release(t, 1);
  acquire(t, 1);
  learn(t);
}

// An asynchronous copy: its source is read and its target written where it is issued.
ENTRY void __heddle_gpu_copy(struct Thread *t, void *target, void *source, u32 size, u32 site) {
  checked_access(t, source, size, site, KIND_LOAD, 0);
  checked_access(t, target, size, site, KIND_STORE, 0);
}

ENTRY void __heddle_gpu_copy_commit(struct Thread *t) { (void)t; }
ENTRY void __heddle_gpu_copy_wait(struct Thread *t, u32 pending, u32 all) {
  (void)t;
  (void)pending;
  (void)all;
}
