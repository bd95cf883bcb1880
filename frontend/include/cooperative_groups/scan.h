// Scans over the groups within a warp, by shuffles.
#pragma once
#include "reduce.h"

namespace cooperative_groups {
template <class Group, class _T, class Op> HEDDLE_DEVICE _T inclusive_scan(const Group &group, _T v, Op op) {
  unsigned int rank = group.thread_rank();
  for (unsigned int step = 1; step < group.size(); step *= 2) {
    _T below = group.shfl_up(v, step);
    if (rank >= step)
      v = op(below, v);
  }
  return v;
}
template <class Group, class _T> HEDDLE_DEVICE _T inclusive_scan(const Group &group, _T v) {
  return inclusive_scan(group, v, plus<_T>());
}
// The first thread gets a value of its own: 0 for sums.
template <class Group, class _T, class Op> HEDDLE_DEVICE _T exclusive_scan(const Group &group, _T v, Op op) {
  _T below = group.shfl_up(inclusive_scan(group, v, op), 1);
  return group.thread_rank() == 0 ? _T{} : below;
}
template <class Group, class _T> HEDDLE_DEVICE _T exclusive_scan(const Group &group, _T v) {
  return exclusive_scan(group, v, plus<_T>());
}

// One thread takes the place of the whole group in an atomic; each gets its own part of it.
template <class Group, class Atomic, class _T, class Op>
HEDDLE_DEVICE _T inclusive_scan_update(const Group &group, Atomic &to, _T v, Op op) {
  _T own = inclusive_scan(group, v, op), before{};
  if (group.thread_rank() == group.size() - 1)
    before = heddle_update(to, own, op);
  return op(group.shfl(before, group.size() - 1), own);
}
template <class Group, class Atomic, class _T>
HEDDLE_DEVICE _T inclusive_scan_update(const Group &group, Atomic &to, _T v) {
  return inclusive_scan_update(group, to, v, plus<_T>());
}
template <class Group, class Atomic, class _T, class Op>
HEDDLE_DEVICE _T exclusive_scan_update(const Group &group, Atomic &to, _T v, Op op) {
  _T own = inclusive_scan(group, v, op), before{};
  if (group.thread_rank() == group.size() - 1)
    before = heddle_update(to, own, op);
  before = group.shfl(before, group.size() - 1);
  _T below = group.shfl_up(own, 1);
  return group.thread_rank() == 0 ? before : op(before, below);
}
template <class Group, class Atomic, class _T>
HEDDLE_DEVICE _T exclusive_scan_update(const Group &group, Atomic &to, _T v) {
  return exclusive_scan_update(group, to, v, plus<_T>());
}
} // namespace cooperative_groups
