// The ends of the ranges of numbers, as PyTorch's kernels name them.
#pragma once
#include "../../heddle/torch.h"

namespace at {
// `lowest` and `max` are finite; the bounds are infinite where there is an infinity.
template <class _T> struct numeric_limits {
  typedef std::numeric_limits<_T> heddle_limits;
  __host__ __device__ static _T lowest() { return heddle_limits::lowest(); }
  __host__ __device__ static _T max() { return heddle_limits::max(); }
  __host__ __device__ static _T lower_bound() {
    return heddle_limits::has_infinity ? _T(-heddle_limits::infinity()) : heddle_limits::lowest();
  }
  __host__ __device__ static _T upper_bound() {
    return heddle_limits::has_infinity ? heddle_limits::infinity() : heddle_limits::max();
  }
};
} // namespace at
