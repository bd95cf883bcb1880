// Reductions over the groups within a warp, by shuffles.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {
#define HEDDLE_OPERATOR(name, expression)                                                                              \
  template <class T = void> struct name {                                                                              \
    HEDDLE_MEMBER T operator()(const T &a, const T &b) const { return expression; }                                    \
  };
HEDDLE_OPERATOR(plus, a + b)
HEDDLE_OPERATOR(less, a < b ? a : b)
HEDDLE_OPERATOR(greater, a > b ? a : b)
HEDDLE_OPERATOR(bit_and, a &b)
HEDDLE_OPERATOR(bit_or, a | b)
HEDDLE_OPERATOR(bit_xor, a ^ b)

template <unsigned int Size, class Parent, class T, class Op>
HEDDLE_DEVICE T reduce(const thread_block_tile<Size, Parent> &tile, T v, Op op) {
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
} // namespace cooperative_groups
