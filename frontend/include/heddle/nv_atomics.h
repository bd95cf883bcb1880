// The atomics that nvcc has built in, by order and scope: `__nv_atomic_*`.
#pragma once
#include "ordered.h"

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_SYSTEM 0
#define __NV_THREAD_SCOPE_DEVICE 1
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_CLUSTER 3
#define __NV_THREAD_SCOPE_THREAD 10

// The scope is a number of the program: each has its instruction.
#define HEDDLE_BY_SCOPE(function, arguments)                                                                           \
  if (scope == __NV_THREAD_SCOPE_DEVICE)                                                                               \
    return heddle_ordered::function<heddle_ordered::scope_device> arguments;                                           \
  if (scope == __NV_THREAD_SCOPE_BLOCK)                                                                                \
    return heddle_ordered::function<heddle_ordered::scope_block> arguments;                                            \
  if (scope == __NV_THREAD_SCOPE_CLUSTER)                                                                              \
    return heddle_ordered::function<heddle_ordered::scope_cluster> arguments;                                          \
  if (scope == __NV_THREAD_SCOPE_THREAD)                                                                               \
    return heddle_ordered::function<heddle_ordered::scope_thread> arguments;                                           \
  return heddle_ordered::function<heddle_ordered::scope_system> arguments;

#define HEDDLE_NV_FETCH(name, ordered)                                                                                 \
  template <class _T, class _V> HEDDLE_DEVICE _T __nv_atomic_##name(_T *p, _V v, int order, int scope = 0) {           \
    HEDDLE_BY_SCOPE(ordered, (p, (_T)v, order))                                                                        \
  }
HEDDLE_NV_FETCH(fetch_add, fetch_add)
HEDDLE_NV_FETCH(fetch_sub, fetch_sub)
HEDDLE_NV_FETCH(fetch_and, fetch_and)
HEDDLE_NV_FETCH(fetch_or, fetch_or)
HEDDLE_NV_FETCH(fetch_xor, fetch_xor)
HEDDLE_NV_FETCH(fetch_min, fetch_min)
HEDDLE_NV_FETCH(fetch_max, fetch_max)
HEDDLE_NV_FETCH(add, fetch_add)
HEDDLE_NV_FETCH(sub, fetch_sub)
HEDDLE_NV_FETCH(and, fetch_and)
HEDDLE_NV_FETCH(or, fetch_or)
HEDDLE_NV_FETCH(xor, fetch_xor)
HEDDLE_NV_FETCH(min, fetch_min)
HEDDLE_NV_FETCH(max, fetch_max)
HEDDLE_NV_FETCH(exchange_n, exchange)
template <class _T> HEDDLE_DEVICE _T __nv_atomic_load_n(_T *p, int order, int scope = 0) {
  HEDDLE_BY_SCOPE(load, ((const _T *)p, order))
}
template <class _T, class _V> HEDDLE_DEVICE void __nv_atomic_store_n(_T *p, _V v, int order, int scope = 0) {
  HEDDLE_BY_SCOPE(store, (p, (_T)v, order))
}
template <class _T> HEDDLE_DEVICE void __nv_atomic_load(_T *p, _T *to, int order, int scope = 0) {
  *to = __nv_atomic_load_n(p, order, scope);
}
template <class _T> HEDDLE_DEVICE void __nv_atomic_store(_T *p, _T *from, int order, int scope = 0) {
  __nv_atomic_store_n(p, *from, order, scope);
}
template <class _T> HEDDLE_DEVICE void __nv_atomic_exchange(_T *p, _T *v, _T *old, int order, int scope = 0) {
  *old = __nv_atomic_exchange_n(p, *v, order, scope);
}
template <class _T> HEDDLE_DEVICE _T heddle_compare(_T *p, _T expected, _T v, int order, int scope) {
  HEDDLE_BY_SCOPE(compare, (p, expected, v, order))
}
// The order of success counts for both outcomes if it is the stronger, as in the instruction.
template <class _T, class _V>
HEDDLE_DEVICE bool __nv_atomic_compare_exchange_n(_T *p, _T *expected, _V v, bool, int success, int failure, int scope = 0) {
  int order = success;
  if (failure == __ATOMIC_SEQ_CST || (failure == __ATOMIC_ACQUIRE && success == __ATOMIC_RELAXED))
    order = failure;
  else if (failure == __ATOMIC_ACQUIRE && success == __ATOMIC_RELEASE)
    order = __ATOMIC_ACQ_REL;
  _T was = *expected, found = heddle_compare(p, was, (_T)v, order, scope);
  *expected = found;
  return __builtin_bit_cast(heddle_ordered::Bits<_T>, found) == __builtin_bit_cast(heddle_ordered::Bits<_T>, was);
}
HEDDLE_DEVICE void __nv_atomic_thread_fence(int order, int scope = 0) { HEDDLE_BY_SCOPE(fence, (order)) }
#undef HEDDLE_NV_FETCH
