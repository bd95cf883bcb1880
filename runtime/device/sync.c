// Threads begin, wait, order and end: what the epochs and the release marks of access.c are made of.
//
// A barrier of the whole block starts an epoch, a barrier of the whole warp a warp epoch within it; both stop at their
// largest number, from which nothing is told apart any more. Everything weaker (fences, atomics, barriers of some
// threads, barrier objects) sets marks: that something was released, that something was acquired.
#include "platform.h"

// Where a launch asks for it: a while that its number, the block, the warp and the place in the program draw. Blocks
// that start late come in another order, and warps meet in others; what is found then was there to be found.
static OUTLINED void delayed(const struct Thread *t, u32 number) {
  u32 block = block_of(t->who), warp = thread_of(t->who) / 32;
  u32 drawn = (number * 0x9e3779b1u ^ block * 0x85ebca6bu ^ warp * 0xc2b2ae35u ^ t->epoch * 0x27d4eb2fu) * 0x9e3779b1u;
  drawn ^= drawn >> 15;
  // At the start up to 64 microseconds, which is longer than a block of few instructions runs.
  rest(t->epoch == 1 ? (drawn & 15) << 12 : drawn & 2047);
}

INSIDE void delay(const struct Thread *t) {
  u32 number = __heddle_launch.flags >> DELAYS_AT;
  if (number) delayed(t, number);
}

INSIDE u32 live_threads_of_warp(u32 warp) {
  u32 behind = threads_of_block() - warp * 32;
  return behind >= 32 ? 0xffffffffu : (1u << behind) - 1;
}

// A place for the shadow of the block's shared memory: the first thread that comes takes one, the others wait for it.
INSIDE u32 slot_of(u32 number) {
  GLOBAL struct Block *block = block_at(number);
  u32 slot = 0;
  if (replace(&block->slot, &slot, SLOT_PENDING)) {
    GLOBAL u32 *owners = (GLOBAL u32 *)(counters() + 1);
    slot = NO_SLOT;
    for (u32 n = 0; n < __heddle_launch.slots; n++) {
      u32 at = (number + n) % __heddle_launch.slots, free = 0;
      if (replace(owners + at, &free, number + 1)) {
        slot = at + 1;
        break;
      }
    }
    if (slot == NO_SLOT && __heddle_launch.shared_bytes) add(&counters()->blocks_unchecked, 1u);
    store(&block->slot, slot);
    return slot;
  }
  while (slot == SLOT_PENDING || slot == 0) slot = load(&block->slot);
  return slot;
}

static OUTLINED void leave(struct Thread *t) {
  if (t->flags & LEFT) return;
  t->flags |= LEFT;
  add(&counters()->accesses, t->accesses);
  u32 number = block_of(t->who);
  if (add(&block_at(number)->left, 1u) + 1 < threads_of_block() || t->slot == NO_SLOT) return;
  store((GLOBAL u32 *)(counters() + 1) + (t->slot - 1), 0u);
}

static void release(struct Thread *t, u32 wide) {
  GLOBAL struct Block *block = block_at(block_of(t->who));
  raise_to(&block->released, t->epoch + 1);
  if (wide) store(&block->published, 1u);
}

static void acquire(struct Thread *t, u32 wide) {
  t->acquired = t->epoch + 1;
  if (!wide) return;
  t->flags |= ACQUIRED_FROM_GRID;
  store(&block_at(block_of(t->who))->acquired, 1u);
}

// Before any barrier: a fence after it may be that of another thread, and takes over what this one has read.
static void tell(const struct Thread *t) {
  u32 read = t->flags & (READ_NARROW | READ_WIDE);
  GLOBAL struct Block *block = block_at(block_of(t->who));
  if (read & ~load(&block->read)) set_bits(&block->read, read);
}

// After any barrier: what one thread acquired from other blocks, or has read, the others know now.
static void learn(struct Thread *t) {
  GLOBAL struct Block *block = block_at(block_of(t->who));
  if (load(&block->acquired)) t->flags |= ACQUIRED_FROM_GRID;
  t->flags |= load(&block->read);
}

INSIDE u32 lane_bit(const struct Thread *t) { return 1u << (thread_of(t->who) % 32); }

static void waits(const struct Thread *t, u32 kind, u32 id) {
  GLOBAL struct Wait *wait = (GLOBAL struct Wait *)__heddle_launch.waits + t->warp;
  store(&wait->what, (t->site & MOST_SITE) | (id & 255) << SITE_BITS | kind << (SITE_BITS + 8));
  set_bits(&wait->lanes, lane_bit(t));
}

static void goes_on(const struct Thread *t) {
  GLOBAL struct Wait *wait = (GLOBAL struct Wait *)__heddle_launch.waits + t->warp;
  keep_bits(&wait->lanes, ~lane_bit(t));
}
