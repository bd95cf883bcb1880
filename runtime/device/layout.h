// What the host hands over at a launch, and what the device gives back: layouts that both sides know.
//
// The Rust side is runtime/src/gpu/layout.rs; a test compares sizes and offsets. All numbers are little-endian. A change
// here is a change of the ABI: raise ABI_VERSION, which stands in the name of the symbol that states it.
#pragma once

#define ABI_VERSION 2

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

// Where memory lies that other blocks see. On the host there is one address space.
#ifdef __NVPTX__
#define GLOBAL __attribute__((address_space(1)))
#define CONSTANT __attribute__((address_space(4)))
#else
#define GLOBAL
#define CONSTANT
#endif

// An access that was made, in one word, so that it is read and replaced at once. Zero is none: epochs start at one.
// From the lowest bit: warp epoch 6, block epoch 13, site 12, wrote 1, wide 1, atomic 1, thread 10, block 20.
enum {
  WARP_EPOCH_BITS = 6,
  EPOCH_BITS = 13,
  SITE_BITS = 12,
  EPOCH_AT = WARP_EPOCH_BITS,
  SITE_AT = EPOCH_AT + EPOCH_BITS,
  WROTE_AT = SITE_AT + SITE_BITS,
  WIDE_AT,
  ATOMIC_AT,
  THREAD_AT,
  BLOCK_AT = THREAD_AT + 10,
  MOST_WARP_EPOCH = (1 << WARP_EPOCH_BITS) - 1,
  MOST_EPOCH = (1 << EPOCH_BITS) - 1,
  MOST_SITE = (1 << SITE_BITS) - 1,
};

// The accesses to one granule: the last write, the last read, and a reader concurrent with it or an overtaken atomic.
enum { CELL_WORDS = 3 };

// Global memory with a shadow: cells of (1 << shift) bytes each.
struct Region {
  u64 base;
  u64 bytes;
  u64 shadow;
  u32 shift;
  u32 reserved;
};

enum { MOST_REGIONS = 64 };

// A launch's flags: a bit says that kernels reach nothing but shared memory, their own and the regions; from DELAYS_AT
// on there is the number that delays are drawn from, zero for none.
enum { CHECK_BOUNDS = 1, DELAYS_AT = 8 };

// Handed over before a launch, in constant memory.
struct Launch {
  u32 abi;
  u32 flags;
  u64 ring;           // struct Report[ring_mask + 1], in memory of the host
  u64 ring_taken;     // u64: how many reports the host has taken, in memory of the host
  u64 counters;       // struct Counters
  u64 blocks;         // struct Block for each block of the grid
  u64 waits;          // struct Wait for each warp of the grid
  u64 pairs;          // struct Pair[pair_mask + 1]
  u64 shared_shadow;  // slots times shared_stride bytes
  u64 shared_stride;
  u64 stores;         // struct Stored for each thread of a block of each slot; zero: nothing is remembered
  u32 ring_mask;
  u32 pair_mask;
  u32 shared_bytes;   // of one block, static and dynamic
  u32 shared_shift;
  u32 slots;          // blocks whose shared memory has a shadow at one time
  u32 regions;
  struct Region region[MOST_REGIONS];
};

// In device memory, zero at first. Behind it: one u32 for each slot, the block that has it plus one.
struct Counters {
  u64 next;             // reports made
  u64 dropped;          // of these, not written: the ring was full
  u64 accesses;         // checked
  u32 blocks_unchecked; // ran without a shadow of their shared memory: no slot was free
  u32 epochs_spent;     // blocks that passed more barriers than epochs can count
  u32 stop;             // set by the host: threads end at their next poll
  u32 stopped;          // threads that did
};

// Of one block, zero at first.
struct Block {
  u32 slot;       // plus one; NO_SLOT: none was free
  u32 left;       // threads that ended
  u32 released;   // epoch of the last release to the block, plus one
  u32 published;  // not zero: a release to the grid
  u32 acquired;   // not zero: an acquire from the grid
  u32 read;       // READ_NARROW, READ_WIDE: what a thread read before a barrier of the block
};

enum { NO_SLOT = 0xffffffff, SLOT_PENDING = 0xfffffffe };

// What lanes of a warp wait for.
struct Wait {
  u32 lanes;
  u32 what;  // from the lowest bit: site 12, barrier 8, kind 4
};

enum { WAITS_BLOCK_BARRIER = 1, WAITS_WARP_BARRIER = 2, WAITS_CLUSTER_BARRIER = 3, WAITS_MBARRIER = 4 };

// The last plain store of a thread, of a value that its instrumented code knows: the word that it left in cells, and a mix of
// address and value. Two that store the same value to one place are told by it, though neither may have stored yet.
struct Stored {
  u64 word;
  u64 mix;
};

// How often a pair of sites was reported.
struct Pair {
  u32 key;  // zero: free
  u32 count;
};

enum { REPORTS_OF_A_PAIR = 32, PAIR_PROBES = 16 };

// In the address of a report: an offset in the block's shared memory; from the kernel's variables there, where they have one
// place.
#define SHARED_ADDRESS (1ull << 63)
#define PLACED_ADDRESS (1ull << 62)

// 32 bytes in the ring. `sequence` is written last: the number of the report plus one in its low 48 bits, then the size
// (8 bits), same value, first writes, second writes (1 bit each), kind (5 bits).
struct Report {
  u64 sequence;
  u64 first;
  u64 second;
  u64 address;
};

enum { REPORT_RACE = 1, REPORT_OUT_OF_BOUNDS = 2 };
enum { SIZE_AT = 48, SAME_VALUE_AT = 56, FIRST_WRITES_AT = 57, SECOND_WRITES_AT = 58, KIND_AT = 59 };

// Kept by a thread for itself: instrumented kernels set THREAD_BYTES aside.
struct Thread {
  u64 who;        // thread and block, as in a word
  u32 epoch;
  u32 warp_epoch;
  u32 site;
  u32 acquired;   // epoch of the last acquire within the block, plus one
  u32 flags;
  u32 slot;       // plus one, or NO_SLOT
  u32 polls;
  u32 warp;       // its number in the grid
  u64 accesses;
  u64 shared_base; // where the kernel's variables in shared memory start, or more than any offset
};

enum { THREAD_BYTES = 64 };
enum { ACQUIRED_FROM_GRID = 1, READ_NARROW = 2, READ_WIDE = 4, LEFT = 8 };

_Static_assert(sizeof(struct Thread) <= THREAD_BYTES, "instrumented kernels set this much aside");
_Static_assert(sizeof(struct Report) == 32, "the host reads 32 bytes");
_Static_assert(BLOCK_AT + 20 == 64, "a word is full");
