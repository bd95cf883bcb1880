// Copies from global to shared memory by all threads of a group, which are waited for by the group.
#pragma once
#include "../cooperative_groups.h"
#include "../cuda/barrier"

namespace cooperative_groups {
// Each call is one group of copies.
template <class Group, class _T, class Size>
HEDDLE_DEVICE void memcpy_async(const Group &g, _T *to, const _T *from, const Size &bytes) {
  heddle_async::share(to, from, bytes, (unsigned int)g.thread_rank(), (unsigned int)g.size(),
                      (int)cuda::heddle_align<Size, _T>());
  heddle_async::commit();
}
template <class Group, class Size>
HEDDLE_DEVICE void memcpy_async(const Group &g, void *to, const void *from, const Size &bytes) {
  heddle_async::share(to, from, bytes, (unsigned int)g.thread_rank(), (unsigned int)g.size(),
                      (int)cuda::heddle_align_of_bytes<Size>());
  heddle_async::commit();
}
// In elements, as many as there are on both sides.
template <class Group, class _T, class ToSize, class FromSize>
HEDDLE_DEVICE void memcpy_async(const Group &g, _T *to, const ToSize &there, const _T *from, const FromSize &here) {
  size_t count = (size_t)there < (size_t)here ? (size_t)there : (size_t)here;
  memcpy_async(g, to, from, count * sizeof(_T));
}
template <class Group> HEDDLE_DEVICE void wait(const Group &g) {
  heddle_async::wait_prior(0);
  g.sync();
}
template <unsigned int Prior, class Group> HEDDLE_DEVICE void wait_prior(const Group &g) {
  heddle_async::wait_prior(Prior);
  g.sync();
}
} // namespace cooperative_groups
