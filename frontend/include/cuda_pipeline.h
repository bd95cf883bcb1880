// Asynchronous copies of one thread: the C functions, and a class around them.
#pragma once
#include "cuda_awbarrier_primitives.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {
// Copies of one thread, in groups that are waited for by their place in the order.
class pipeline {
public:
  __attribute__((device, always_inline, nodebug)) pipeline() : next(0) {}
  __attribute__((device, always_inline, nodebug)) size_t commit() {
    __pipeline_commit();
    return next++;
  }
  __attribute__((device, always_inline, nodebug)) void commit_and_wait() { wait(commit()); }
  __attribute__((device, always_inline, nodebug)) void wait(size_t batch) {
    if (next > batch)
      __pipeline_wait_prior(next - batch - 1);
  }
  template <unsigned _N> __attribute__((device, always_inline, nodebug)) void wait_prior() { __pipeline_wait_prior(_N); }

private:
  size_t next;
};
template <class _T> HEDDLE_DEVICE void memcpy_async(_T &to, const _T &from, pipeline &) {
  if constexpr (sizeof(_T) == 4 || sizeof(_T) == 8 || sizeof(_T) == 16)
    __pipeline_memcpy_async(&to, &from, sizeof(_T));
  else
    to = from;
}
} // namespace experimental
} // namespace nvcuda
