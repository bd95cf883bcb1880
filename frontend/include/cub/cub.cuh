// The collectives of CUB that kernels use most: what of memory and barriers their documentation promises.
//
// The memory that a collective is lent is written by each thread, in a place that is not its own, and read by others
// after one barrier of the block, without which no value comes from one warp to another: whoever lends it again needs a
// barrier between the uses, as the documentation says. Whether a block of one warp comes to a barrier is not said: unknown.
// What threads get that the documentation promises nothing depends on others' values. Functions of the whole device are
// declarations for host code.
#pragma once
#include "../cooperative_groups.h"

#define CUB_VERSION 200800
#define CUB_NS_QUALIFIER ::cub
#define CUB_MIN(a, b) ((b) < (a) ? (b) : (a))
#define CUB_MAX(a, b) ((a) < (b) ? (b) : (a))

// Parts of a warp that are no power of two go through memory in a way that is not said.
__attribute__((device)) void heddle_odd_part_of_warp();
// Whether the collectives of a block of one warp have a barrier differs by algorithm.
__attribute__((device)) void heddle_block_of_one_warp();

namespace cub {
#define HEDDLE_CUB(name, expression)                                                                                   \
  struct name {                                                                                                        \
    template <class T> __attribute__((host, device, always_inline, nodebug)) T operator()(const T &a, const T &b) const { \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
HEDDLE_CUB(Sum, a + b)
HEDDLE_CUB(Max, a < b ? b : a)
HEDDLE_CUB(Min, b < a ? b : a)
#undef HEDDLE_CUB
template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
};
struct ArgMax {
  template <class K, class V>
  HEDDLE_MEMBER KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  HEDDLE_MEMBER KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// A warp, or a part of it of `Width` lanes. The result of a reduction is that of its first lane.
template <class T, int Width = 32> struct heddle_lanes {
  HEDDLE_MEMBER static unsigned int lane() { return cooperative_groups::heddle::lane() % Width; }
  HEDDLE_MEMBER static unsigned int mask() {
    return Width == 32 ? ~0u : ((1u << (Width % 32)) - 1) << (cooperative_groups::heddle::lane() / Width * Width);
  }
  HEDDLE_MEMBER static void check_width() {
    if constexpr ((Width & (Width - 1)) != 0)
      heddle_odd_part_of_warp();
  }
  template <class Op> HEDDLE_MEMBER static T reduce(T v, Op op, unsigned int count) {
    check_width();
    for (unsigned int step = 1; step < Width; step *= 2) {
      T other = cooperative_groups::heddle::shuffle_down(mask(), v, step, Width);
      if (lane() + step < count)
        v = op(v, other);
    }
    T beside = cooperative_groups::heddle::shuffle_xor(mask(), v, 1, Width);
    return lane() == 0 ? v : op(v, beside);
  }
  template <class Op> HEDDLE_MEMBER static T scan(T v, Op op) {
    check_width();
    for (unsigned int step = 1; step < Width; step *= 2) {
      T below = cooperative_groups::heddle::shuffle_up(mask(), v, step, Width);
      if (lane() >= step)
        v = op(below, v);
    }
    return v;
  }
};
template <class T, int Width = 32, int = 0> class WarpReduce {
public:
  struct TempStorage {};
  HEDDLE_MEMBER explicit WarpReduce(TempStorage &) {}
  HEDDLE_MEMBER T Sum(T v) { return Reduce(v, cub::Sum()); }
  HEDDLE_MEMBER T Sum(T v, int count) { return Reduce(v, cub::Sum(), count); }
  template <class Op> HEDDLE_MEMBER T Reduce(T v, Op op, int count = Width) {
    return heddle_lanes<T, Width>::reduce(v, op, (unsigned int)count);
  }
};
template <class T, int Width = 32, int = 0> class WarpScan {
public:
  struct TempStorage {};
  HEDDLE_MEMBER explicit WarpScan(TempStorage &) {}
  template <class Op> HEDDLE_MEMBER void InclusiveScan(T v, T &out, Op op) { out = heddle_lanes<T, Width>::scan(v, op); }
  HEDDLE_MEMBER void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cub::Sum()); }
  HEDDLE_MEMBER void InclusiveSum(T v, T &out, T &all) {
    InclusiveSum(v, out);
    all = cooperative_groups::heddle::shuffle(heddle_lanes<T, Width>::mask(), out, Width - 1, Width);
  }
  HEDDLE_MEMBER void ExclusiveSum(T v, T &out) {
    T upto;
    InclusiveSum(v, upto);
    out = upto - v;
  }
  HEDDLE_MEMBER void ExclusiveSum(T v, T &out, T &all) {
    T upto;
    InclusiveSum(v, upto, all);
    out = upto - v;
  }
};

// A block of X * Y * Z threads. The result of a reduction is that of its first thread.
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
public:
  static constexpr int threads = X * Y * Z;
  struct TempStorage {
    T slots[threads];
  };
  HEDDLE_MEMBER explicit BlockReduce(TempStorage &lent) : slots(lent.slots) {}
  HEDDLE_MEMBER T Sum(T v) { return Reduce(v, cub::Sum()); }
  HEDDLE_MEMBER T Sum(T v, int count) { return Reduce(v, cub::Sum(), count); }
  template <int N> HEDDLE_MEMBER T Sum(T (&v)[N]) { return Reduce(v, cub::Sum()); }
  template <class Op> HEDDLE_MEMBER T Reduce(T v, Op op, int count = threads) {
    unsigned int rank = cooperative_groups::heddle::rank_in_block();
    if constexpr (threads <= 32) {
      heddle_block_of_one_warp();
      v = heddle_lanes<T, 32>::reduce(v, op, (unsigned int)(count < threads ? count : threads));
      if (rank == 0)
        slots[0] = v;
      return v;
    }
    slots[cooperative_groups::heddle::turned(rank, threads)] = v;
    __syncthreads();
    if (rank != 0)
      return op(v, slots[rank]);
    for (unsigned int n = 1; n < threads; ++n)
      if ((int)n < count)
        v = op(v, slots[cooperative_groups::heddle::turned(n, threads)]);
    return v;
  }
  template <int N, class Op> HEDDLE_MEMBER T Reduce(T (&v)[N], Op op) {
    T own = v[0];
    for (int n = 1; n < N; ++n)
      own = op(own, v[n]);
    return Reduce(own, op);
  }

private:
  T *slots;
};
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0> class BlockScan {
public:
  static constexpr int threads = X * Y * Z;
  struct TempStorage {
    T slots[threads];
  };
  HEDDLE_MEMBER explicit BlockScan(TempStorage &lent) : slots(lent.slots) {}
  // What comes before each thread, in `below`; what all have together.
  template <class Op> HEDDLE_MEMBER T heddle_scan(T v, Op op, T &below) {
    unsigned int rank = cooperative_groups::heddle::rank_in_block();
    if constexpr (threads <= 32) {
      heddle_block_of_one_warp();
      constexpr unsigned int members = threads == 32 ? ~0u : (1u << (threads % 32)) - 1;
      T upto = v;
      for (unsigned int step = 1; step < threads; step *= 2) {
        T lower = cooperative_groups::heddle::shuffle_up(members, upto, step, 32);
        if (rank >= step)
          upto = op(lower, upto);
      }
      below = cooperative_groups::heddle::shuffle_up(members, upto, 1, 32);
      T all = cooperative_groups::heddle::shuffle(members, upto, threads - 1, 32);
      if (rank == 0)
        slots[0] = all;
      return all;
    }
    slots[cooperative_groups::heddle::turned(rank, threads)] = v;
    __syncthreads();
    T all = slots[cooperative_groups::heddle::turned(0, threads)];
    for (unsigned int n = 1; n < threads; ++n) {
      if (n == rank)
        below = all;
      all = op(all, slots[cooperative_groups::heddle::turned(n, threads)]);
    }
    return all;
  }
  template <class Op> HEDDLE_MEMBER void InclusiveScan(T v, T &out, Op op) {
    T below{};
    heddle_scan(v, op, below);
    out = cooperative_groups::heddle::rank_in_block() == 0 ? v : op(below, v);
  }
  template <class Op> HEDDLE_MEMBER void InclusiveScan(T v, T &out, Op op, T &all) {
    T below{};
    all = heddle_scan(v, op, below);
    out = cooperative_groups::heddle::rank_in_block() == 0 ? v : op(below, v);
  }
  template <class Op> HEDDLE_MEMBER void ExclusiveScan(T v, T &out, T first, Op op) {
    T below{};
    heddle_scan(v, op, below);
    out = cooperative_groups::heddle::rank_in_block() == 0 ? first : op(first, below);
  }
  template <class Op> HEDDLE_MEMBER void ExclusiveScan(T v, T &out, T first, Op op, T &all) {
    T below{};
    all = heddle_scan(v, op, below);
    out = cooperative_groups::heddle::rank_in_block() == 0 ? first : op(first, below);
  }
  HEDDLE_MEMBER void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cub::Sum()); }
  HEDDLE_MEMBER void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, cub::Sum(), all); }
  HEDDLE_MEMBER void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T{}, cub::Sum()); }
  HEDDLE_MEMBER void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T{}, cub::Sum(), all); }

private:
  T *slots;
};

// Of the whole device, for host code.
#define HEDDLE_CUB_CALL(name) template <class... Args> static cudaError_t name(void *, size_t &, Args...);
struct DeviceReduce {
  HEDDLE_CUB_CALL(Sum)
  HEDDLE_CUB_CALL(Min)
  HEDDLE_CUB_CALL(Max)
  HEDDLE_CUB_CALL(ArgMin)
  HEDDLE_CUB_CALL(ArgMax)
  HEDDLE_CUB_CALL(Reduce)
  HEDDLE_CUB_CALL(ReduceByKey)
};
struct DeviceScan {
  HEDDLE_CUB_CALL(ExclusiveSum)
  HEDDLE_CUB_CALL(InclusiveSum)
  HEDDLE_CUB_CALL(ExclusiveScan)
  HEDDLE_CUB_CALL(InclusiveScan)
};
struct DeviceRadixSort {
  HEDDLE_CUB_CALL(SortKeys)
  HEDDLE_CUB_CALL(SortKeysDescending)
  HEDDLE_CUB_CALL(SortPairs)
  HEDDLE_CUB_CALL(SortPairsDescending)
};
struct DeviceSelect {
  HEDDLE_CUB_CALL(Flagged)
  HEDDLE_CUB_CALL(If)
  HEDDLE_CUB_CALL(Unique)
};
struct DeviceHistogram {
  HEDDLE_CUB_CALL(HistogramEven)
};
#undef HEDDLE_CUB_CALL
template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  HEDDLE_MEMBER DoubleBuffer() : d_buffers{}, selector(0) {}
  __attribute__((host, device)) DoubleBuffer(T *now, T *other) : d_buffers{now, other}, selector(0) {}
  __attribute__((host, device)) T *Current() { return d_buffers[selector]; }
  __attribute__((host, device)) T *Alternate() { return d_buffers[selector ^ 1]; }
};
} // namespace cub
