// Barrier objects in C.
#pragma once
#include "heddle/async.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

HEDDLE_DEVICE unsigned int __mbarrier_maximum_count() { return (1u << 20) - 1; }
HEDDLE_DEVICE void __mbarrier_init(__mbarrier_t *b, unsigned int count) { heddle_async::init(b, count); }
HEDDLE_DEVICE void __mbarrier_inval(__mbarrier_t *b) { heddle_async::invalidate(b); }
HEDDLE_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b) { return heddle_async::arrive(b); }
HEDDLE_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b) { return heddle_async::arrive_and_drop(b); }
HEDDLE_DEVICE bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t t) { return heddle_async::test_token(b, t); }
HEDDLE_DEVICE bool __mbarrier_try_wait(__mbarrier_t *b, __mbarrier_token_t t, unsigned int = 0) {
  return heddle_async::try_token(b, t);
}
HEDDLE_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity) {
  return heddle_async::test_parity(b, parity);
}
HEDDLE_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *b, bool parity, unsigned int = 0) {
  return heddle_async::try_parity(b, parity);
}
