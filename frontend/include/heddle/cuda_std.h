// Namespace cuda::std: names of the host's C++ library, whose constexpr functions work on devices too.
#pragma once
#include "device.h"
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#define _LIBCUDACXX_CUDA_API_VERSION 2008000
#define _LIBCUDACXX_CUDACC 1
#define CCCL_VERSION 2008000
#define CCCL_MAJOR_VERSION 2
#define CCCL_MINOR_VERSION 8

// Functions of the classes that these headers add.
#define HEDDLE_METHOD __attribute__((host, device, always_inline, nodebug))

namespace cuda {
namespace std {
using namespace ::std;
// In the host's library these are macros, or functions of the host alone.
template <class _T> HEDDLE_BOTH constexpr const _T &min(const _T &a, const _T &b) { return b < a ? b : a; }
template <class _T> HEDDLE_BOTH constexpr const _T &max(const _T &a, const _T &b) { return a < b ? b : a; }
template <class _T> HEDDLE_BOTH constexpr _T abs(_T v) { return v < _T(0) ? -v : v; }
template <class _T> HEDDLE_BOTH void swap(_T &a, _T &b) {
  _T t = (_T &&)a;
  a = (_T &&)b;
  b = (_T &&)t;
}

struct identity {
  template <class _T> HEDDLE_METHOD constexpr _T &&operator()(_T &&t) const { return (_T &&)t; }
};

enum class memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
} // namespace cuda
