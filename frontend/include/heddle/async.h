// Barrier objects in shared memory and asynchronous copies, as the PTX that they are: for cuda_pipeline.h,
// cuda_awbarrier.h, cuda::barrier, cuda::pipeline and the copies of cooperative groups.
#pragma once
#include "sync.h"

namespace heddle_async {
HEDDLE_DEVICE unsigned int at(const void *p) { return (unsigned int)__cvta_generic_to_shared(p); }

// Barrier objects (PTX ISA 9.7.13.15).
HEDDLE_DEVICE void init(void *b, unsigned int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
HEDDLE_DEVICE void fence_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
HEDDLE_DEVICE void fence_async() { asm volatile("fence.proxy.async;" ::: "memory"); }
HEDDLE_DEVICE void fence_async_shared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
HEDDLE_DEVICE void invalidate(void *b) { asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at(b)) : "memory"); }
HEDDLE_DEVICE unsigned long long arrive(void *b) {
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at(b)) : "memory");
  return token;
}
HEDDLE_DEVICE unsigned long long arrive(void *b, unsigned int count) {
  if (__builtin_constant_p(count) && count == 1)
    return arrive(b);
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(token) : "r"(at(b)), "r"(count) : "memory");
  return token;
}
HEDDLE_DEVICE unsigned long long arrive_and_drop(void *b) {
  unsigned long long token;
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at(b)) : "memory");
  return token;
}
HEDDLE_DEVICE unsigned long long arrive_expect(void *b, unsigned int bytes) {
  unsigned long long token;
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
               : "=l"(token)
               : "r"(at(b)), "r"(bytes)
               : "memory");
  return token;
}
// At the object of a block of the cluster: nothing comes back.
HEDDLE_DEVICE void arrive_far(void *b, unsigned int count) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
HEDDLE_DEVICE void expect(void *b, unsigned int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}
// `try_wait` may sleep for a while first; it came with sm_90.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define HEDDLE_MAY_WAIT "test_wait"
#else
#define HEDDLE_MAY_WAIT "try_wait"
#endif
#define HEDDLE_PHASE_TEST(function, instruction, _T, c)                                                                \
  HEDDLE_DEVICE bool function(const void *b, _T phase) {                                                               \
    unsigned int done;                                                                                                 \
    asm volatile("{ .reg .pred p; mbarrier." instruction ".shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"       \
                 : "=r"(done)                                                                                          \
                 : "r"(at(b)), c(phase)                                                                                \
                 : "memory");                                                                                          \
    return done;                                                                                                       \
  }
HEDDLE_PHASE_TEST(test_token, "test_wait", unsigned long long, "l")
HEDDLE_PHASE_TEST(try_token, HEDDLE_MAY_WAIT, unsigned long long, "l")
HEDDLE_PHASE_TEST(test_parity, "test_wait.parity", unsigned int, "r")
HEDDLE_PHASE_TEST(try_parity, HEDDLE_MAY_WAIT ".parity", unsigned int, "r")
HEDDLE_DEVICE void wait_token(const void *b, unsigned long long token) {
  while (!try_token(b, token)) {
  }
}
HEDDLE_DEVICE void wait_parity(const void *b, unsigned int parity) {
  while (!try_parity(b, parity)) {
  }
}

// Copies of 4, 8 and 16 bytes from global to shared memory (PTX ISA 9.7.9.25).
#define HEDDLE_COPY(bytes, cache)                                                                                      \
  HEDDLE_DEVICE void copy##bytes(void *to, const void *from) {                                                         \
    asm volatile("cp.async." cache ".shared.global [%0], [%1], " #bytes ";" ::"r"(at(to)), "l"(from) : "memory");      \
  }                                                                                                                    \
  HEDDLE_DEVICE void copy##bytes(void *to, const void *from, unsigned int read) {                                      \
    asm volatile("cp.async." cache ".shared.global [%0], [%1], " #bytes ", %2;" ::"r"(at(to)), "l"(from), "r"(read)    \
                 : "memory");                                                                                          \
  }
HEDDLE_COPY(4, "ca")
HEDDLE_COPY(8, "ca")
HEDDLE_COPY(16, "cg")
#undef HEDDLE_COPY
HEDDLE_DEVICE void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
#define HEDDLE_WAIT_GROUP(n)                                                                                           \
  case n:                                                                                                              \
    asm volatile("cp.async.wait_group " #n ";" ::: "memory");                                                          \
    break;
// For all but the `prior` latest groups of the thread. More than eight left open are not told apart, as in the toolkit.
HEDDLE_DEVICE void wait_prior(unsigned int prior) {
  switch (prior) {
    HEDDLE_WAIT_GROUP(0)
    HEDDLE_WAIT_GROUP(1)
    HEDDLE_WAIT_GROUP(2)
    HEDDLE_WAIT_GROUP(3)
    HEDDLE_WAIT_GROUP(4)
    HEDDLE_WAIT_GROUP(5)
    HEDDLE_WAIT_GROUP(6)
    HEDDLE_WAIT_GROUP(7)
  default:
    asm volatile("cp.async.wait_group 8;" ::: "memory");
  }
}
// An arrival that comes when the copies of the thread so far are done, and that the object counts beside its own number.
HEDDLE_DEVICE void copies_arrive(void *b) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(at(b)) : "memory");
}
// A bulk copy that completes bytes of a barrier object.
HEDDLE_DEVICE void bulk(void *to, const void *from, unsigned int bytes, void *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
               "l"(from), "r"(bytes), "r"(at(b))
               : "memory");
}

HEDDLE_DEVICE void bulk_to_all(void *to, const void *from, unsigned int bytes, void *b, unsigned short blocks) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
               "[%3], %4;" ::"r"(at(to)),
               "l"(from), "r"(bytes), "r"(at(b)), "h"(blocks)
               : "memory");
}
// To the shared memory of a block of the cluster, and to global memory.
HEDDLE_DEVICE void bulk_to_block(void *to, const void *from, unsigned int bytes, void *b) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
               "r"(at(from)), "r"(bytes), "r"(at(b))
               : "memory");
}
HEDDLE_DEVICE void bulk_out(void *to, const void *from, unsigned int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(bytes)
               : "memory");
}
HEDDLE_DEVICE void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int _N> HEDDLE_DEVICE void bulk_wait() { asm volatile("cp.async.bulk.wait_group %0;" ::"n"(_N) : "memory"); }
template <int _N> HEDDLE_DEVICE void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(_N) : "memory");
}
// Tiles of tensors.
#define HEDDLE_TENSOR(dim, places_in, places_out, ...)                                                                 \
  HEDDLE_DEVICE void tensor_in(void *to, const void *map, const int (&c)[dim], void *b) {                              \
    asm volatile("cp.async.bulk.tensor." #dim "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "            \
                 "[%0], [%1, {" places_in "}], [%2];" ::"r"(at(to)),                                                   \
                 "l"(map), "r"(at(b)), __VA_ARGS__                                                                     \
                 : "memory");                                                                                          \
  }                                                                                                                    \
  HEDDLE_DEVICE void tensor_out(const void *map, const int (&c)[dim], const void *from) {                              \
    asm volatile("cp.async.bulk.tensor." #dim "d.global.shared::cta.tile.bulk_group [%0, {" places_out                 \
                 "}], [%1];" ::"l"(map),                                                                               \
                 "r"(at(from)), __VA_ARGS__                                                                            \
                 : "memory");                                                                                          \
  }
HEDDLE_TENSOR(1, "%3", "%2", "r"(c[0]))
HEDDLE_TENSOR(2, "%3, %4", "%2, %3", "r"(c[0]), "r"(c[1]))
HEDDLE_TENSOR(3, "%3, %4, %5", "%2, %3, %4", "r"(c[0]), "r"(c[1]), "r"(c[2]))
HEDDLE_TENSOR(4, "%3, %4, %5, %6", "%2, %3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
HEDDLE_TENSOR(5, "%3, %4, %5, %6, %7", "%2, %3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]))
#undef HEDDLE_TENSOR

// The part of one thread of `count` in a copy of `bytes` from global to shared memory, in units of `Unit` bytes.
//
// Which thread of a group copies what is not specified: here each copies what another one would, so that a program which
// counts on its own part, or on that of the thread beside it, is found out.
template <int Unit>
HEDDLE_DEVICE void part(char *to, const char *from, size_t bytes, unsigned int rank, unsigned int count) {
  unsigned int by = count > 7 ? 7 : 1;
  unsigned int turned = rank + by >= count ? rank + by - count : rank + by;
  for (size_t n = (size_t)turned * Unit; n < bytes; n += (size_t)count * Unit) {
    if constexpr (Unit >= 16) {
      for (int at = 0; at < Unit; at += 16)
        copy16(to + n + at, from + n + at);
    } else if constexpr (Unit == 8) {
      copy8(to + n, from + n);
    } else if constexpr (Unit == 4) {
      copy4(to + n, from + n);
    } else {
      to[n] = from[n];
    }
  }
}
// Memory that is not shared, sizes and addresses that no instruction takes: copied at once.
HEDDLE_DEVICE void share(void *to, const void *from, size_t bytes, unsigned int rank, unsigned int count, int align) {
  char *t = (char *)to;
  const char *f = (const char *)from;
  if (!__isShared(to) || !__isGlobal(from))
    part<1>(t, f, bytes, rank, count);
  else if (align >= 16 && bytes % 16 == 0)
    part<16>(t, f, bytes, rank, count);
  else if (align >= 8 && bytes % 8 == 0)
    part<8>(t, f, bytes, rank, count);
  else if (align >= 4 && bytes % 4 == 0)
    part<4>(t, f, bytes, rank, count);
  else if ((((size_t)to | (size_t)from | bytes) & 3) == 0)
    part<4>(t, f, bytes, rank, count);
  else
    part<1>(t, f, bytes, rank, count);
}
} // namespace heddle_async

// A size that no instruction has: a call without a body.
extern "C" __attribute__((device)) void heddle_copy_of_unknown_size(void *, const void *, size_t);
