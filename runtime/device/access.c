// Is this access ordered after those before it? The same question as runtime/src/detect.rs asks, with less to go by.
//
// Each granule has three words: the last write, the last read, and a read that nothing orders with it (or an atomic write
// that another one overtook). Each word names a thread of a block, its block barriers and warp barriers so far, and the
// site. An access swaps its own word in and judges the one that comes out, so of two accesses at least one sees the other.
//
// **Never reported**: an access that barriers of the block or the warp order. Order by fences and atomics is not followed
// from object to object: where the one side has released anything and the other side has acquired anything since, the pair
// is left out. **Missed** therefore: a race of threads that also synchronize by fences and atomics, or by barriers of a part
// of the block, in the same interval (for blocks: ever); a race older than three accesses to the granule; accesses that two
// threads make at the very same time, when the device shows neither the other's word; after 8,191 block barriers, races
// within a block, and after 63 warp barriers in one interval, races within a warp; an asynchronous copy that is not waited
// for, unless another thread touches its bytes without a barrier.
#include "platform.h"

// The flags of an access, as runtime/src/abi.rs has them: the kind in the low bits, then order (2, 3) and scope (4).
enum { KIND_LOAD = 0, KIND_STORE = 1, KIND_UPDATE = 2 };
enum { FLAG_ATOMIC = 1 << 8, FLAG_VOLATILE = 1 << 9, FLAG_VALUE = 1 << 10 };

struct Check {
  struct Thread *thread;
  u64 word;
  u64 address;
  u32 size;
  int write;
  int shared;
  // Of a plain store whose value is known: where it goes, the value, and its mix.
  const void *place;
  u64 value;
  u64 mix;
};

INSIDE u64 word_of(const struct Thread *t, u32 site, u32 flags) {
  u64 word = t->who | t->warp_epoch | (u64)t->epoch << EPOCH_AT | (u64)(site > MOST_SITE ? 0 : site) << SITE_AT;
  if (flags & FLAG_ATOMIC) word |= 1ull << ATOMIC_AT | (u64)(flags >> 4 & 1) << WIDE_AT;
  return word;
}

INSIDE int same_thread(u64 a, u64 b) { return a >> THREAD_AT == b >> THREAD_AT; }

// Whether the thread knows of an access, or may.
static OUTLINED int knows(const struct Thread *t, u64 past) {
  if (same_thread(past, t->who)) return 1;
  if (block_of(past) != block_of(t->who))
    return t->flags & ACQUIRED_FROM_GRID && load(&block_at(block_of(past))->published) != 0;
  u32 epoch = epoch_of(past);
  if (epoch < t->epoch || epoch == MOST_EPOCH) return 1;
  if (thread_of(past) / 32 == thread_of(t->who) / 32) {
    u32 warp = warp_epoch_of(past);
    if (epoch == t->epoch && (warp < t->warp_epoch || warp == MOST_WARP_EPOCH)) return 1;
  }
  return t->acquired > t->epoch && load(&block_at(block_of(past))->released) > t->epoch;
}

INSIDE int ordered(const struct Check *c, u64 past) {
  if (is_set(past, ATOMIC_AT) && is_set(c->word, ATOMIC_AT)) {
    if (block_of(past) == block_of(c->word) || (is_set(past, WIDE_AT) && is_set(c->word, WIDE_AT))) return 1;
  }
  return knows(c->thread, past);
}

// Byte by byte: what is not aligned is stored in parts.
INSIDE int holds(const volatile u8 *p, u32 size, u64 value) {
  for (u32 n = 0; n < size; n++)
    if (p[n] != (u8)(value >> 8 * n)) return 0;
  return 1;
}

INSIDE GLOBAL struct Stored *stored_at(u32 slot, u32 thread) {
  return (GLOBAL struct Stored *)__heddle_launch.stores + (u64)(slot - 1) * threads_of_block() + thread;
}

// What a store leaves for others to compare with, before it leaves its word in a cell.
INSIDE void remember(struct Check *c, u64 value) {
  u32 slot = c->thread->slot;
  c->value = value;
  c->mix = ((value ^ value >> 32) << 32 ^ c->address) | 1;
  if (!__heddle_launch.stores || slot == NO_SLOT) return;
  store_pair(stored_at(slot, thread_of(c->word)), c->word, c->mix);
}

// Looks, until another thread's word is there: it was on its way when the cell had it.
enum { LOOKS = 256 };

// Whether a store that is not ordered with this one stores the same value to the same place: by what that thread remembers
// of it; where it has gone on since, by what is in memory.
static OUTLINED int stores_same(const struct Check *c, u64 past) {
  if (!c->mix || is_set(past, ATOMIC_AT)) return 0;
  u32 slot = __heddle_launch.stores ? load(&block_at(block_of(past))->slot) : NO_SLOT;
  for (u32 n = 0; n < LOOKS && slot != NO_SLOT; n++) {
    struct Stored last = load_pair(stored_at(slot, thread_of(past)));
    if (last.word == past) return last.mix == c->mix;
  }
  return holds((const volatile u8 *)c->place, c->size, c->value);
}

static OUTLINED void race(const struct Check *c, u64 past, int past_writes) {
  int plain = past_writes && stores_same(c, past);
  report(REPORT_RACE, past, c->word, (u32)past_writes | (u32)c->write << 1, plain, c->address, c->size);
}

// What another block left in a shadow of shared memory is of its time.
INSIDE u64 of_now(const struct Check *c, u64 past) {
  return c->shared && block_of(past) != block_of(c->word) ? 0 : past;
}

static OUTLINED void check_write(const struct Check *c, GLOBAL u64 *cell) {
  u64 past = of_now(c, swap(cell, c->word));
  u64 read = load(cell + 1), other = load(cell + 2);
  if (past && !ordered(c, past)) race(c, past, 1);
  if (read) store(cell + 1, 0ull);
  u64 kept = 0;
  if (past && is_set(past, ATOMIC_AT) && is_set(c->word, ATOMIC_AT)) {
    if (!same_thread(past, c->word) && !knows(c->thread, past)) kept = past | 1ull << WROTE_AT;
    else if (of_now(c, other) && is_set(other, WROTE_AT)) kept = other;
  }
  if (other != kept) store(cell + 2, kept);
  read = of_now(c, read);
  other = of_now(c, other);
  if (read && !ordered(c, read)) race(c, read, is_set(read, WROTE_AT));
  if (other && !ordered(c, other)) race(c, other, is_set(other, WROTE_AT));
}

static OUTLINED void check_read(const struct Check *c, GLOBAL u64 *cell) {
  u64 read = load(cell + 1);
  // Left for a writer to find, before the last write is looked at.
  u64 known = of_now(c, read);
  if (!known || same_thread(known, c->word) || knows(c->thread, known)) {
    if (read != c->word) store(cell + 1, c->word);
  } else {
    u64 other = of_now(c, load(cell + 2));
    if (!other || same_thread(other, c->word) || (!is_set(other, WROTE_AT) && knows(c->thread, other)))
      store(cell + 2, c->word);
  }
  u64 past = of_now(c, load(cell)), other = of_now(c, load(cell + 2));
  if (past && !ordered(c, past)) race(c, past, 1);
  if (other && is_set(other, WROTE_AT) && !ordered(c, other)) race(c, other, 1);
}

static OUTLINED void check(const struct Check *c, u64 cells, u64 offset, u32 shift) {
  u64 last = (offset + (c->size ? c->size - 1 : 0)) >> shift;
  for (u64 at = offset >> shift; at <= last; at++) {
    GLOBAL u64 *cell = (GLOBAL u64 *)cells + at * CELL_WORDS;
    if (c->write)
      check_write(c, cell);
    else
      check_read(c, cell);
  }
}

static OUTLINED void out_of_bounds(struct Thread *t, u64 word, u64 address, u32 size, int write) {
  report(REPORT_OUT_OF_BOUNDS, word, word, (u32)write << 1, 0, address, size);
  leave(t);
  end_thread();
}

// A whole access: found in the tables, checked granule by granule.
static OUTLINED void checked_access(struct Thread *t, void *p, u64 size, u32 site, u32 flags, u64 value) {
  u32 kind = flags & 3;
  u64 address = (u64)p;
  t->accesses++;
  t->site = site;
  struct Check c = {t, word_of(t, site, flags), address, (u32)size, kind != KIND_LOAD, is_shared(p), p, 0, 0};
  int known = flags & FLAG_VALUE && !(flags & FLAG_ATOMIC) && size <= 8;
  if (c.shared) {
    u32 offset = shared_offset(p);
    c.address = SHARED_ADDRESS | (offset < t->shared_base ? offset : PLACED_ADDRESS | (offset - t->shared_base));
    if (offset + size > __heddle_launch.shared_bytes) {
      out_of_bounds(t, c.word, c.address, c.size, c.write);
      return;
    }
    if (t->slot == NO_SLOT) return;
    if (known) remember(&c, value);
    check(&c, __heddle_launch.shared_shadow + (t->slot - 1) * __heddle_launch.shared_stride, offset,
          __heddle_launch.shared_shift);
    return;
  }
  for (u32 n = 0; n < __heddle_launch.regions; n++) {
    CONSTANT const struct Region *region = &__heddle_launch.region[n];
    u64 offset = address - region->base;
    if (offset >= region->bytes) continue;
    if (size > region->bytes - offset) break;
    if (known) remember(&c, value);
    check(&c, region->shadow, offset, region->shift);
    return;
  }
  if (__heddle_launch.flags & CHECK_BOUNDS && !is_local(p) && !is_constant(p))
    out_of_bounds(t, c.word, address, c.size, c.write);
}
