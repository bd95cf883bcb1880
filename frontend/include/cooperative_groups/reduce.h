// Reductions over the groups within a warp, by shuffles.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {
#define HEDDLE_OPERATOR(name, expression)                                                                              \
  template <class T = void> struct name {                                                                              \
    HEDDLE_MEMBER T operator()(const T &a, const T &b) const { return expression; }                                    \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class T> HEDDLE_MEMBER T operator()(const T &a, const T &b) const { return expression; }                 \
  };
HEDDLE_OPERATOR(plus, a + b)
HEDDLE_OPERATOR(less, a < b ? a : b)
HEDDLE_OPERATOR(greater, a > b ? a : b)
HEDDLE_OPERATOR(bit_and, a &b)
HEDDLE_OPERATOR(bit_or, a | b)
HEDDLE_OPERATOR(bit_xor, a ^ b)
#undef HEDDLE_OPERATOR

template <unsigned int Size, class Parent, class T, class Op>
HEDDLE_DEVICE T reduce(const thread_block_tile<Size, Parent> &tile, T v, Op op) {
  if constexpr (Size > 32)
    heddle_tile_of_several_warps();
  else
    for (unsigned int step = Size / 2; step > 0; step /= 2)
      v = op(v, tile.shfl_xor(v, step));
  return v;
}
template <class T, class Op> HEDDLE_DEVICE T reduce(const coalesced_group &group, T v, Op op) {
  T all = group.shfl(v, 0);
  for (unsigned int rank = 1; rank < group.size(); rank++)
    all = op(all, group.shfl(v, rank));
  return all;
}

// One thread adds what its group has to an atomic, or stores it there.
template <class Atomic, class T, template <class> class Op, class U>
HEDDLE_DEVICE T heddle_update(Atomic &to, T v, const Op<U> &) {
  if constexpr (__is_same(Op<U>, plus<U>))
    return to.fetch_add(v, decltype(to.heddle_relaxed())::relaxed);
  else if constexpr (__is_same(Op<U>, less<U>))
    return to.fetch_min(v, decltype(to.heddle_relaxed())::relaxed);
  else if constexpr (__is_same(Op<U>, greater<U>))
    return to.fetch_max(v, decltype(to.heddle_relaxed())::relaxed);
  else if constexpr (__is_same(Op<U>, bit_and<U>))
    return to.fetch_and(v, decltype(to.heddle_relaxed())::relaxed);
  else if constexpr (__is_same(Op<U>, bit_or<U>))
    return to.fetch_or(v, decltype(to.heddle_relaxed())::relaxed);
  else
    return to.fetch_xor(v, decltype(to.heddle_relaxed())::relaxed);
}
template <class Group, class Atomic, class T, class Op>
HEDDLE_DEVICE void reduce_update_async(const Group &group, Atomic &to, T v, Op op) {
  T all = reduce(group, v, op);
  if (group.thread_rank() == 0)
    heddle_update(to, all, op);
}
template <class Group, class Atomic, class T, class Op>
HEDDLE_DEVICE void reduce_store_async(const Group &group, Atomic &to, T v, Op op) {
  T all = reduce(group, v, op);
  if (group.thread_rank() == 0)
    to.store(all, decltype(to.heddle_relaxed())::relaxed);
}
} // namespace cooperative_groups
