// Reports: a ring in the host's memory that is emptied while the kernel runs, so that a hang still tells what was met.
//
// A pair of sites is sent REPORTS_OF_A_PAIR times at most and then only counted, so one racy pair that is met a million
// times hides no other. When the host does not keep up, reports are dropped and counted; the pair's count is kept.
#include "platform.h"

// How often the pair was met before. Pairs that find no place in the table are always new.
INSIDE u32 met_before(u32 key) {
  GLOBAL struct Pair *pairs = (GLOBAL struct Pair *)__heddle_launch.pairs;
  u32 at = key * 0x9e3779b1u;
  for (u32 probe = 0; probe < PAIR_PROBES; probe++) {
    GLOBAL struct Pair *pair = pairs + ((at + probe) & __heddle_launch.pair_mask);
    u32 known = load(&pair->key);
    if (known == 0 && replace(&pair->key, &known, key)) known = key;
    if (known == key) return add(&pair->count, 1u);
  }
  return 0;
}

static OUTLINED void report(u32 kind, u64 first, u64 second, u32 writes, int same_value, u64 address, u32 size) {
  u32 near = kind == REPORT_RACE && block_of(first) == block_of(second);
  u32 in_warp = near && thread_of(first) / 32 == thread_of(second) / 32;
  u32 key = site_of(first) | site_of(second) << SITE_BITS | writes << 24 | near << 26 | in_warp << 27 |
            (u32)(same_value != 0) << 28 | kind << 29;
  if (met_before(key) >= REPORTS_OF_A_PAIR) return;
  GLOBAL u64 *next = &counters()->next;
  u64 number = load(next);
  do {
    // What the host has not taken must not be overwritten.
    u64 taken = load_from_host((GLOBAL u64 *)__heddle_launch.ring_taken);
    if (number - taken > __heddle_launch.ring_mask) {
      add(&counters()->dropped, 1ull);
      return;
    }
  } while (!replace(next, &number, number + 1));
  GLOBAL struct Report *slot = (GLOBAL struct Report *)__heddle_launch.ring + (number & __heddle_launch.ring_mask);
  slot->first = first;
  slot->second = second;
  slot->address = address;
  u64 tag = (u64)(size > 255 ? 255 : size) << SIZE_AT | (u64)(same_value != 0) << SAME_VALUE_AT |
            (u64)writes << FIRST_WRITES_AT | (u64)kind << KIND_AT;
  publish(&slot->sequence, (number + 1) & ((1ull << 48) - 1) | tag);
}
