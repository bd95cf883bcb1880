// What the library needs of the machine: on NVPTX the device's own registers and atomics, on the host a stand-in, with
// which its logic is tested without a GPU.
//
// All atomics are relaxed and reach the device. On sm_70 and above that is one instruction each; anything stronger would
// put a fence beside every access.
#pragma once
#include "layout.h"

#define RELAXED __ATOMIC_RELAXED
#define DEVICE __MEMORY_SCOPE_DEVICE

#define load(p) __scoped_atomic_load_n((p), RELAXED, DEVICE)
#define store(p, v) __scoped_atomic_store_n((p), (v), RELAXED, DEVICE)
#define swap(p, v) __scoped_atomic_exchange_n((p), (v), RELAXED, DEVICE)
#define add(p, v) __scoped_atomic_fetch_add((p), (v), RELAXED, DEVICE)
#define set_bits(p, v) __scoped_atomic_fetch_or((p), (v), RELAXED, DEVICE)
#define keep_bits(p, v) __scoped_atomic_fetch_and((p), (v), RELAXED, DEVICE)
#define raise_to(p, v) __scoped_atomic_fetch_max((p), (v), RELAXED, DEVICE)
// The host sees what was written before.
#define publish(p, v) __scoped_atomic_store_n((p), (v), __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM)
#define load_from_host(p) __scoped_atomic_load_n((p), RELAXED, __MEMORY_SCOPE_SYSTEM)

#define replace(p, expected, v) \
  __scoped_atomic_compare_exchange_n((p), (expected), (v), 0, RELAXED, RELAXED, DEVICE)

// Two words in one access, of memory that is aligned to both: what is read was written at once.
typedef u64 Words __attribute__((ext_vector_type(2)));
#define store_pair(p, a, b) (*(volatile GLOBAL Words *)(p) = (Words){(a), (b)})
#define load_pair(p)                               \
  ({                                               \
    Words both = *(volatile GLOBAL Words *)(p);    \
    (struct Stored){both.x, both.y};               \
  })

#define INSIDE static inline __attribute__((always_inline))
// Called from every access: once in the code, not once for each.
#define OUTLINED __attribute__((noinline))
#define ENTRY __attribute__((visibility("default")))

#ifdef __NVPTX__

INSIDE u32 thread_in_block(void) {
  return __nvvm_read_ptx_sreg_tid_x() +
         __nvvm_read_ptx_sreg_ntid_x() *
             (__nvvm_read_ptx_sreg_tid_y() + __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_tid_z());
}
INSIDE u32 threads_of_block(void) {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_ntid_z();
}
INSIDE u32 block_in_grid(void) {
  return __nvvm_read_ptx_sreg_ctaid_x() +
         __nvvm_read_ptx_sreg_nctaid_x() *
             (__nvvm_read_ptx_sreg_ctaid_y() + __nvvm_read_ptx_sreg_nctaid_y() * __nvvm_read_ptx_sreg_ctaid_z());
}
INSIDE int is_shared(const void *p) { return __nvvm_isspacep_shared(p); }
INSIDE int is_local(const void *p) { return __nvvm_isspacep_local(p); }
INSIDE int is_constant(const void *p) { return __nvvm_isspacep_const(p); }
INSIDE u32 shared_offset(const void *p) { return (u32)(u64)(const __attribute__((address_space(3))) void *)p; }
INSIDE void end_thread(void) { __nvvm_exit(); }
INSIDE void rest(u32 nanoseconds) { __nvvm_nanosleep(nanoseconds); }

#else

// Set by whoever simulates threads.
struct Here {
  u32 thread, threads, block, ended;
  u64 shared, shared_bytes;
};
ENTRY struct Here heddle_here;

INSIDE u32 thread_in_block(void) { return heddle_here.thread; }
INSIDE u32 threads_of_block(void) { return heddle_here.threads; }
INSIDE u32 block_in_grid(void) { return heddle_here.block; }
INSIDE int is_shared(const void *p) { return (u64)p - heddle_here.shared < heddle_here.shared_bytes; }
INSIDE int is_local(const void *p) { return 0; }
INSIDE int is_constant(const void *p) { return 0; }
INSIDE u32 shared_offset(const void *p) { return (u32)((u64)p - heddle_here.shared); }
INSIDE void end_thread(void) { heddle_here.ended = 1; }
INSIDE void rest(u32 nanoseconds) { (void)nanoseconds; }

#endif

extern CONSTANT struct Launch __heddle_launch;

INSIDE GLOBAL struct Counters *counters(void) { return (GLOBAL struct Counters *)__heddle_launch.counters; }
INSIDE GLOBAL struct Block *block_at(u32 number) { return (GLOBAL struct Block *)__heddle_launch.blocks + number; }
INSIDE u32 block_of(u64 word) { return (u32)(word >> BLOCK_AT); }
INSIDE u32 thread_of(u64 word) { return (u32)(word >> THREAD_AT) & 1023; }
INSIDE u32 site_of(u64 word) { return (u32)(word >> SITE_AT) & MOST_SITE; }
INSIDE u32 epoch_of(u64 word) { return (u32)(word >> EPOCH_AT) & MOST_EPOCH; }
INSIDE u32 warp_epoch_of(u64 word) { return (u32)word & MOST_WARP_EPOCH; }
INSIDE int is_set(u64 word, u32 bit) { return word >> bit & 1; }
