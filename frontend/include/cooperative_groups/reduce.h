// Reductions over the groups within a warp, by shuffles.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {
#define HEDDLE_OPERATOR(name, expression)                                                                              \
  template <class _T = void> struct name {                                                                             \
    HEDDLE_MEMBER _T operator()(const _T &a, const _T &b) const { return expression; }                                 \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class _T> HEDDLE_MEMBER _T operator()(const _T &a, const _T &b) const { return expression; }             \
  };
HEDDLE_OPERATOR(plus, a + b)
HEDDLE_OPERATOR(less, a < b ? a : b)
HEDDLE_OPERATOR(greater, a > b ? a : b)
HEDDLE_OPERATOR(bit_and, a &b)
HEDDLE_OPERATOR(bit_or, a | b)
HEDDLE_OPERATOR(bit_xor, a ^ b)
#undef HEDDLE_OPERATOR

template <unsigned int Size, class Parent, class _T, class Op>
HEDDLE_DEVICE _T reduce(const thread_block_tile<Size, Parent> &tile, _T v, Op op) {
  if constexpr (Size > 32)
    heddle_tile_of_several_warps();
  else
    for (unsigned int step = Size / 2; step > 0; step /= 2)
      v = op(v, tile.shfl_xor(v, step));
  return v;
}
template <class _T, class Op> HEDDLE_DEVICE _T reduce(const coalesced_group &group, _T v, Op op) {
  _T all = group.shfl(v, 0);
  for (unsigned int rank = 1; rank < group.size(); rank++)
    all = op(all, group.shfl(v, rank));
  return all;
}

// One thread adds what its group has to an atomic, or stores it there.
template <class Atomic, class _T, template <class> class Op, class _U>
HEDDLE_DEVICE _T heddle_update(Atomic &to, _T v, const Op<_U> &) {
  if constexpr (__is_same(Op<_U>, plus<_U>))
    return to.fetch_add(v, decltype(to.heddle_relaxed())::relaxed);
  else if constexpr (__is_same(Op<_U>, less<_U>))
    return to.fetch_min(v, decltype(to.heddle_relaxed())::relaxed);
  else if constexpr (__is_same(Op<_U>, greater<_U>))
    return to.fetch_max(v, decltype(to.heddle_relaxed())::relaxed);
  else if constexpr (__is_same(Op<_U>, bit_and<_U>))
    return to.fetch_and(v, decltype(to.heddle_relaxed())::relaxed);
  else if constexpr (__is_same(Op<_U>, bit_or<_U>))
    return to.fetch_or(v, decltype(to.heddle_relaxed())::relaxed);
  else
    return to.fetch_xor(v, decltype(to.heddle_relaxed())::relaxed);
}
template <class Group, class Atomic, class _T, class Op>
HEDDLE_DEVICE void reduce_update_async(const Group &group, Atomic &to, _T v, Op op) {
  _T all = reduce(group, v, op);
  if (group.thread_rank() == 0)
    heddle_update(to, all, op);
}
template <class Group, class Atomic, class _T, class Op>
HEDDLE_DEVICE void reduce_store_async(const Group &group, Atomic &to, _T v, Op op) {
  _T all = reduce(group, v, op);
  if (group.thread_rank() == 0)
    to.store(all, decltype(to.heddle_relaxed())::relaxed);
}
} // namespace cooperative_groups
