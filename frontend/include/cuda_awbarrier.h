// Barrier objects: the C functions, and a class around them.
#pragma once
#include "cuda_awbarrier_primitives.h"

namespace nvcuda {
namespace experimental {
class awbarrier {
public:
  typedef __mbarrier_token_t arrival_token;
  awbarrier() = default;
  __attribute__((device, always_inline, nodebug)) arrival_token arrive() { return __mbarrier_arrive(&object); }
  __attribute__((device, always_inline, nodebug)) arrival_token arrive_and_drop() {
    return __mbarrier_arrive_and_drop(&object);
  }
  __attribute__((device, always_inline, nodebug)) bool timed_wait(arrival_token t, unsigned int limit) {
    return __mbarrier_try_wait(&object, t, limit);
  }
  __attribute__((device, always_inline, nodebug)) bool timed_wait_parity(bool parity, unsigned int limit) {
    return __mbarrier_try_wait_parity(&object, parity, limit);
  }
  __attribute__((device, always_inline, nodebug)) void wait(arrival_token t) { heddle_async::wait_token(&object, t); }
  __attribute__((device, always_inline, nodebug)) void arrive_and_wait() { wait(arrive()); }
  __attribute__((device, always_inline, nodebug)) static constexpr unsigned int max() { return (1u << 20) - 1; }
  __mbarrier_t object;
};
HEDDLE_DEVICE void init(awbarrier *b, unsigned int count) { __mbarrier_init(&b->object, count); }
HEDDLE_DEVICE void inval(awbarrier *b) { __mbarrier_inval(&b->object); }
} // namespace experimental
} // namespace nvcuda
