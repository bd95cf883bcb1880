// The collectives of CUB that kernels use most: what of memory and barriers their documentation promises.
//
// The memory that a collective is lent is written by each thread, in a place that is not its own, and read by others
// after one barrier of the block, without which no value comes from one warp to another: whoever lends it again needs a
// barrier between the uses, as the documentation says. A block of one warp comes to a barrier where the algorithm that is
// chosen has one in CUB 1 to 3.
// What threads get that the documentation promises nothing depends on others' values. Functions of the whole device are
// declarations for host code.
#pragma once
#include "../cooperative_groups.h"
#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../heddle/cuda_std.h"
#include <chrono>
#include <limits>

#define CUB_VERSION 200800
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_RUNTIME_FUNCTION __attribute__((host, device))
#define CUB_STATIC_ASSERT(condition, message) static_assert(condition, #message)
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                                                \
  if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) exit(1)
#define CUB_NS_QUALIFIER ::cub
#define CUB_MIN(a, b) ((b) < (a) ? (b) : (a))
#define CUB_MAX(a, b) ((a) < (b) ? (b) : (a))

// Parts of a warp that are no power of two go through memory in a way that is not said.
__attribute__((device)) void heddle_odd_part_of_warp();

namespace cub {
HEDDLE_MEMBER unsigned int LaneId() { return cooperative_groups::heddle::lane(); }
HEDDLE_MEMBER unsigned int WarpId() { return __nvvm_read_ptx_sreg_warpid(); }
HEDDLE_MEMBER unsigned int LaneMaskLt() { return (1u << LaneId()) - 1; }
HEDDLE_MEMBER unsigned int LaneMaskLe() { return LaneMaskLt() << 1 | 1; }
HEDDLE_MEMBER unsigned int LaneMaskGe() { return ~LaneMaskLt(); }
HEDDLE_MEMBER unsigned int LaneMaskGt() { return ~LaneMaskLe(); }
// A dimension of one thread counts for nothing, whatever the block has there.
HEDDLE_MEMBER int RowMajorTid(int x, int y, int z) {
  return (int)((z == 1 ? 0 : threadIdx.z * x * y) + (y == 1 ? 0 : threadIdx.y * x) + threadIdx.x);
}
HEDDLE_MEMBER void ThreadTrap() { __trap(); }
template <class _T> struct heddle_is_bfloat {
  static constexpr bool value = false;
};
template <> struct heddle_is_bfloat<__nv_bfloat16> {
  static constexpr bool value = true;
};
#define HEDDLE_CUB(name, expression)                                                                                   \
  struct name {                                                                                                        \
    template <class _T> __attribute__((host, device, always_inline, nodebug)) _T operator()(const _T &a, const _T &b) const { \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
HEDDLE_CUB(Sum, a + b)
HEDDLE_CUB(Max, a < b ? b : a)
HEDDLE_CUB(Min, b < a ? b : a)
#undef HEDDLE_CUB
template <class _K, class _V> struct KeyValuePair {
  typedef _K Key;
  typedef _V Value;
  _K key;
  _V value;
  KeyValuePair() = default;
  HEDDLE_MEMBER KeyValuePair(const _K &k, const _V &v) : key(k), value(v) {}
};
struct ArgMax {
  template <class _K, class _V>
  HEDDLE_MEMBER KeyValuePair<_K, _V> operator()(const KeyValuePair<_K, _V> &a, const KeyValuePair<_K, _V> &b) const {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class _K, class _V>
  HEDDLE_MEMBER KeyValuePair<_K, _V> operator()(const KeyValuePair<_K, _V> &a, const KeyValuePair<_K, _V> &b) const {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// Memory that is lent to a collective, which runs no constructor there.
template <class _T, int Count, bool = __is_trivially_constructible(_T) && __is_trivially_destructible(_T)> struct heddle_slots {
  _T slots[Count];
  HEDDLE_MEMBER _T &at(unsigned int place) { return slots[place]; }
};
template <class _T, int Count> struct heddle_slots<_T, Count, false> {
  alignas(_T) unsigned char slots[Count * sizeof(_T)];
  HEDDLE_MEMBER _T &at(unsigned int place) { return ((_T *)slots)[place]; }
};
// Of a collective that is lent none, one for all of its type.
template <class _C, class _S> HEDDLE_MEMBER _S &heddle_own() {
  static __attribute__((shared)) _S storage;
  return storage;
}
template <class _S> struct heddle_lent {
  typedef _S TempStorage;
  HEDDLE_MEMBER explicit heddle_lent(TempStorage &memory) : lent(&memory) {}

protected:
  TempStorage *lent;
};

// Memory of which nothing is set up.
template <class _T> struct Uninitialized {
  alignas(_T) unsigned char storage[sizeof(_T)];
  HEDDLE_MEMBER _T &Alias() { return reinterpret_cast<_T &>(storage); }
};

// A warp, or a part of it of `Width` lanes. The result of a reduction is that of its first lane.
template <class _T, int Width = 32> struct heddle_lanes {
  HEDDLE_MEMBER static unsigned int lane() { return cooperative_groups::heddle::lane() % Width; }
  HEDDLE_MEMBER static unsigned int mask() {
    return Width == 32 ? ~0u : ((1u << (Width % 32)) - 1) << (cooperative_groups::heddle::lane() / Width * Width);
  }
  HEDDLE_MEMBER static void check_width() {
    if constexpr ((Width & (Width - 1)) != 0)
      heddle_odd_part_of_warp();
  }
  template <class Op> HEDDLE_MEMBER static _T reduce(_T v, Op op, unsigned int count) {
    check_width();
    for (unsigned int step = 1; step < Width; step *= 2) {
      _T other = cooperative_groups::heddle::shuffle_down(mask(), v, step, Width);
      if (lane() + step < count)
        v = op(v, other);
    }
    _T beside = cooperative_groups::heddle::shuffle_xor(mask(), v, 1, Width);
    return lane() == 0 ? v : op(v, beside);
  }
  // Of each segment, which ends at lane `last`; `first` says whether this lane begins one.
  template <class Op> HEDDLE_MEMBER static _T reduce_segment(_T v, Op op, unsigned int last, bool first) {
    for (unsigned int step = 1; step < Width; step *= 2) {
      _T other = cooperative_groups::heddle::shuffle_down(mask(), v, step, Width);
      if (lane() + step <= last)
        v = op(v, other);
    }
    _T beside = cooperative_groups::heddle::shuffle_xor(mask(), v, 1, Width);
    return first ? v : op(v, beside);
  }
  // The flags of this lane and of those above it, as bits from 0 on.
  HEDDLE_MEMBER static unsigned int flags_from_here(int flag) {
    return (__ballot_sync(mask(), flag) & mask()) >> cooperative_groups::heddle::lane();
  }
  HEDDLE_MEMBER static unsigned int nearest(unsigned int flags) {
    return flags ? lane() + (unsigned int)__ffs((int)flags) - 1 : Width - 1;
  }
  template <class Op> HEDDLE_MEMBER static _T reduce_heads(_T v, int flag, Op op) {
    check_width();
    unsigned int above = flags_from_here(flag) & ~1u;
    return reduce_segment(v, op, above ? nearest(above) - 1 : Width - 1, flag || lane() == 0);
  }
  template <class Op> HEDDLE_MEMBER static _T reduce_tails(_T v, int flag, Op op) {
    check_width();
    int before = __shfl_up_sync(mask(), flag, 1, Width);
    return reduce_segment(v, op, nearest(flags_from_here(flag)), before || lane() == 0);
  }
  template <class Op> HEDDLE_MEMBER static _T scan(_T v, Op op) {
    check_width();
    for (unsigned int step = 1; step < Width; step *= 2) {
      _T below = cooperative_groups::heddle::shuffle_up(mask(), v, step, Width);
      if (lane() >= step)
        v = op(below, v);
    }
    return v;
  }
};
template <class _T, int Width = 32, int = 0> class WarpReduce {
public:
  struct TempStorage {};
  HEDDLE_MEMBER explicit WarpReduce(TempStorage &) {}
  HEDDLE_MEMBER _T Sum(_T v) { return Reduce(v, cub::Sum()); }
  HEDDLE_MEMBER _T Sum(_T v, int count) { return Reduce(v, cub::Sum(), count); }
  template <class Op> HEDDLE_MEMBER _T Reduce(_T v, Op op, int count = Width) {
    return heddle_lanes<_T, Width>::reduce(v, op, (unsigned int)count);
  }
  template <class Flag, class Op> HEDDLE_MEMBER _T HeadSegmentedReduce(_T v, Flag flag, Op op) {
    return heddle_lanes<_T, Width>::reduce_heads(v, flag ? 1 : 0, op);
  }
  template <class Flag, class Op> HEDDLE_MEMBER _T TailSegmentedReduce(_T v, Flag flag, Op op) {
    return heddle_lanes<_T, Width>::reduce_tails(v, flag ? 1 : 0, op);
  }
  template <class Flag> HEDDLE_MEMBER _T HeadSegmentedSum(_T v, Flag flag) {
    return HeadSegmentedReduce(v, flag, cub::Sum());
  }
  template <class Flag> HEDDLE_MEMBER _T TailSegmentedSum(_T v, Flag flag) {
    return TailSegmentedReduce(v, flag, cub::Sum());
  }
};
template <class _T, int Width = 32, int = 0> class WarpScan {
public:
  struct TempStorage {};
  HEDDLE_MEMBER explicit WarpScan(TempStorage &) {}
  template <class Op> HEDDLE_MEMBER void InclusiveScan(_T v, _T &out, Op op) { out = heddle_lanes<_T, Width>::scan(v, op); }
  HEDDLE_MEMBER void InclusiveSum(_T v, _T &out) { InclusiveScan(v, out, cub::Sum()); }
  HEDDLE_MEMBER void InclusiveSum(_T v, _T &out, _T &all) {
    InclusiveSum(v, out);
    all = cooperative_groups::heddle::shuffle(heddle_lanes<_T, Width>::mask(), out, Width - 1, Width);
  }
  template <class Op> HEDDLE_MEMBER void InclusiveScan(_T v, _T &out, Op op, _T &all) {
    InclusiveScan(v, out, op);
    all = Broadcast(out, Width - 1);
  }
  template <class Op> HEDDLE_MEMBER void ExclusiveScan(_T v, _T &out, Op op) {
    _T upto;
    InclusiveScan(v, upto, op);
    _T below = cooperative_groups::heddle::shuffle_up(heddle_lanes<_T, Width>::mask(), upto, 1, Width);
    if (heddle_lanes<_T, Width>::lane() != 0)
      out = below;
  }
  template <class Op> HEDDLE_MEMBER void ExclusiveScan(_T v, _T &out, _T first, Op op) {
    _T below{};
    ExclusiveScan(v, below, op);
    out = heddle_lanes<_T, Width>::lane() == 0 ? first : op(first, below);
  }
  HEDDLE_MEMBER _T Broadcast(_T v, unsigned int lane) {
    return cooperative_groups::heddle::shuffle(heddle_lanes<_T, Width>::mask(), v, lane, Width);
  }
  HEDDLE_MEMBER void ExclusiveSum(_T v, _T &out) {
    _T upto;
    InclusiveSum(v, upto);
    out = upto - v;
  }
  HEDDLE_MEMBER void ExclusiveSum(_T v, _T &out, _T &all) {
    _T upto;
    InclusiveSum(v, upto, all);
    out = upto - v;
  }
};

// A block of X * Y * Z threads. The result of a reduction is that of its first thread.
template <class _T, int _X, BlockReduceAlgorithm How = BLOCK_REDUCE_WARP_REDUCTIONS, int _Y = 1, int _Z = 1, int = 0>
struct BlockReduce : heddle_lent<heddle_slots<_T, _X * _Y * _Z>> {
  static constexpr int threads = _X * _Y * _Z;
  typedef typename BlockReduce::heddle_lent heddle_base;
  using heddle_base::heddle_base;
  HEDDLE_MEMBER BlockReduce() : heddle_base(heddle_own<BlockReduce, typename heddle_base::TempStorage>()) {}
  using heddle_base::lent;
  HEDDLE_MEMBER _T Sum(_T v) { return Reduce(v, cub::Sum()); }
  HEDDLE_MEMBER _T Sum(_T v, int count) { return Reduce(v, cub::Sum(), count); }
  template <int _N> HEDDLE_MEMBER _T Sum(_T (&v)[_N]) { return Reduce(v, cub::Sum()); }
  template <class Op> HEDDLE_MEMBER _T Reduce(_T v, Op op, int count = threads) {
    const unsigned int rank = RowMajorTid(_X, _Y, _Z);
    if constexpr (threads <= 32) {
      v = heddle_lanes<_T, threads>::reduce(v, op, (unsigned int)(count < threads ? count : threads));
      if (rank == 0)
        lent->at(0) = v;
      if constexpr (How == BLOCK_REDUCE_WARP_REDUCTIONS)
        __syncthreads();
      return v;
    }
    lent->at(cooperative_groups::heddle::turned(rank, threads)) = v;
    __syncthreads();
    if (rank != 0)
      return op(v, lent->at(rank));
    for (unsigned int n = 1; n < threads; ++n)
      if ((int)n < count)
        v = op(v, lent->at(cooperative_groups::heddle::turned(n, threads)));
    return v;
  }
  template <int _N, class Op> HEDDLE_MEMBER _T Reduce(_T (&v)[_N], Op op) {
    _T own = v[0];
    for (int n = 1; n < _N; ++n)
      own = op(own, v[n]);
    return Reduce(own, op);
  }
};
template <class _T, int Threads> struct heddle_scanned {
  heddle_slots<_T, Threads> items;
  heddle_slots<_T, 1> prefix;
};
template <class _T, int _X, BlockScanAlgorithm How = BLOCK_SCAN_RAKING, int _Y = 1, int _Z = 1, int = 0>
struct BlockScan : heddle_lent<heddle_scanned<_T, _X * _Y * _Z>> {
  static constexpr int threads = _X * _Y * _Z;
  // Scans of whole warps alone go by warps.
  static constexpr bool is_by_warps = How == BLOCK_SCAN_WARP_SCANS && threads % 32 == 0;
  typedef typename BlockScan::heddle_lent heddle_base;
  using heddle_base::heddle_base;
  HEDDLE_MEMBER BlockScan() : heddle_base(heddle_own<BlockScan, typename heddle_base::TempStorage>()) {}
  using heddle_base::lent;
  // What comes before each thread, in `below`; what all have together.
  template <class Op> HEDDLE_MEMBER _T heddle_scan(_T v, Op op, _T &below) {
    const unsigned int rank = RowMajorTid(_X, _Y, _Z);
    if constexpr (threads <= 32) {
      constexpr unsigned int members = threads == 32 ? ~0u : (1u << (threads % 32)) - 1;
      _T upto = v;
      for (unsigned int step = 1; step < threads; step *= 2) {
        _T lower = cooperative_groups::heddle::shuffle_up(members, upto, step, 32);
        if (rank >= step)
          upto = op(lower, upto);
      }
      below = cooperative_groups::heddle::shuffle_up(members, upto, 1, 32);
      _T all = cooperative_groups::heddle::shuffle(members, upto, threads - 1, 32);
      if (rank == 0)
        lent->items.at(0) = all;
      if constexpr (is_by_warps)
        __syncthreads();
      return all;
    }
    lent->items.at(cooperative_groups::heddle::turned(rank, threads)) = v;
    __syncthreads();
    _T all = lent->items.at(cooperative_groups::heddle::turned(0, threads));
    for (unsigned int n = 1; n < threads; ++n) {
      if (n == rank)
        below = all;
      all = op(all, lent->items.at(cooperative_groups::heddle::turned(n, threads)));
    }
    return all;
  }
  template <class Op> HEDDLE_MEMBER void InclusiveScan(_T v, _T &out, Op op) {
    _T below{};
    heddle_scan(v, op, below);
    out = RowMajorTid(_X, _Y, _Z) == 0 ? v : op(below, v);
  }
  template <class Op> HEDDLE_MEMBER void InclusiveScan(_T v, _T &out, Op op, _T &all) {
    _T below{};
    all = heddle_scan(v, op, below);
    out = RowMajorTid(_X, _Y, _Z) == 0 ? v : op(below, v);
  }
  template <class Op> HEDDLE_MEMBER void ExclusiveScan(_T v, _T &out, _T first, Op op) {
    _T below{};
    heddle_scan(v, op, below);
    out = RowMajorTid(_X, _Y, _Z) == 0 ? first : op(first, below);
  }
  template <class Op> HEDDLE_MEMBER void ExclusiveScan(_T v, _T &out, _T first, Op op, _T &all) {
    _T below{};
    all = heddle_scan(v, op, below);
    out = RowMajorTid(_X, _Y, _Z) == 0 ? first : op(first, below);
  }
  // What comes before the first thread is not said: nothing is written there.
  template <class Op> HEDDLE_MEMBER void ExclusiveScan(_T v, _T &out, Op op) {
    _T below{};
    heddle_scan(v, op, below);
    if (RowMajorTid(_X, _Y, _Z) != 0)
      out = below;
  }
  template <int _N, class Op> HEDDLE_MEMBER void ExclusiveScan(_T (&v)[_N], _T (&out)[_N], _T first, Op op) {
    _T all;
    ExclusiveScan(v, out, first, op, all);
  }
  template <int _N, class Op> HEDDLE_MEMBER void ExclusiveScan(_T (&v)[_N], _T (&out)[_N], _T first, Op op, _T &all) {
    _T own = v[0], below{};
    for (int n = 1; n < _N; ++n)
      own = op(own, v[n]);
    all = heddle_scan(own, op, below);
    _T so_far = RowMajorTid(_X, _Y, _Z) == 0 ? first : op(first, below);
    for (int n = 0; n < _N; ++n) {
      _T item = v[n];
      out[n] = so_far;
      so_far = op(so_far, item);
    }
  }
  HEDDLE_MEMBER void InclusiveSum(_T v, _T &out) { InclusiveScan(v, out, cub::Sum()); }
  HEDDLE_MEMBER void InclusiveSum(_T v, _T &out, _T &all) { InclusiveScan(v, out, cub::Sum(), all); }
  HEDDLE_MEMBER void ExclusiveSum(_T v, _T &out) { ExclusiveScan(v, out, _T{}, cub::Sum()); }
  // Several items of each thread, in the order of the threads.
  template <int _N, class Op> HEDDLE_MEMBER void InclusiveScan(_T (&v)[_N], _T (&out)[_N], Op op) {
    _T all;
    InclusiveScan(v, out, op, all);
  }
  template <int _N, class Op> HEDDLE_MEMBER void InclusiveScan(_T (&v)[_N], _T (&out)[_N], Op op, _T &all) {
    _T own = v[0], below{};
    for (int n = 1; n < _N; ++n)
      own = op(own, v[n]);
    all = heddle_scan(own, op, below);
    _T so_far = RowMajorTid(_X, _Y, _Z) == 0 ? v[0] : op(below, v[0]);
    out[0] = so_far;
    for (int n = 1; n < _N; ++n) {
      so_far = op(so_far, v[n]);
      out[n] = so_far;
    }
  }
  template <int _N> HEDDLE_MEMBER void InclusiveSum(_T (&v)[_N], _T (&out)[_N]) { InclusiveScan(v, out, cub::Sum()); }
  template <int _N> HEDDLE_MEMBER void InclusiveSum(_T (&v)[_N], _T (&out)[_N], _T &all) {
    InclusiveScan(v, out, cub::Sum(), all);
  }
  template <int _N> HEDDLE_MEMBER void ExclusiveSum(_T (&v)[_N], _T (&out)[_N]) {
    _T all;
    ExclusiveSum(v, out, all);
  }
  template <int _N> HEDDLE_MEMBER void ExclusiveSum(_T (&v)[_N], _T (&out)[_N], _T &all) {
    _T own = v[0], below{};
    for (int n = 1; n < _N; ++n)
      own = own + v[n];
    all = heddle_scan(own, cub::Sum(), below);
    _T so_far = RowMajorTid(_X, _Y, _Z) == 0 ? _T{} : below;
    for (int n = 0; n < _N; ++n) {
      _T item = v[n];
      out[n] = so_far;
      so_far = so_far + item;
    }
  }
  HEDDLE_MEMBER void ExclusiveSum(_T v, _T &out, _T &all) { ExclusiveScan(v, out, _T{}, cub::Sum(), all); }
  // With what comes before the block, as the first warp is told it for the sum of the block.
  template <class Op, class Prefix> HEDDLE_MEMBER void InclusiveScan(_T v, _T &out, Op op, Prefix &before) {
    _T below{}, all = heddle_scan(v, op, below), first = heddle_before(all, before);
    _T upto = RowMajorTid(_X, _Y, _Z) == 0 ? first : op(first, below);
    out = op(upto, v);
  }
  template <class Op, class Prefix> HEDDLE_MEMBER void ExclusiveScan(_T v, _T &out, Op op, Prefix &before) {
    _T below{}, all = heddle_scan(v, op, below), first = heddle_before(all, before);
    out = RowMajorTid(_X, _Y, _Z) == 0 ? first : op(first, below);
  }
  template <int _N, class Op, class Prefix>
  HEDDLE_MEMBER void InclusiveScan(_T (&v)[_N], _T (&out)[_N], Op op, Prefix &before) {
    heddle_items<true>(v, out, op, before);
  }
  template <int _N, class Op, class Prefix>
  HEDDLE_MEMBER void ExclusiveScan(_T (&v)[_N], _T (&out)[_N], Op op, Prefix &before) {
    heddle_items<false>(v, out, op, before);
  }
  template <class Prefix> HEDDLE_MEMBER void InclusiveSum(_T v, _T &out, Prefix &before) {
    InclusiveScan(v, out, cub::Sum(), before);
  }
  template <class Prefix> HEDDLE_MEMBER void ExclusiveSum(_T v, _T &out, Prefix &before) {
    ExclusiveScan(v, out, cub::Sum(), before);
  }
  template <int _N, class Prefix> HEDDLE_MEMBER void InclusiveSum(_T (&v)[_N], _T (&out)[_N], Prefix &before) {
    InclusiveScan(v, out, cub::Sum(), before);
  }
  template <int _N, class Prefix> HEDDLE_MEMBER void ExclusiveSum(_T (&v)[_N], _T (&out)[_N], Prefix &before) {
    ExclusiveScan(v, out, cub::Sum(), before);
  }

private:
  template <class Prefix> HEDDLE_MEMBER _T heddle_before(_T all, Prefix &before) {
    const unsigned int rank = RowMajorTid(_X, _Y, _Z);
    if (rank < 32) {
      _T first = before(all);
      if (rank == 0)
        lent->prefix.at(0) = first;
      if constexpr (threads <= 32 && !is_by_warps) {
        constexpr unsigned int members = threads == 32 ? ~0u : (1u << (threads % 32)) - 1;
        return cooperative_groups::heddle::shuffle(members, first, 0, 32);
      }
    }
    __syncthreads();
    return lent->prefix.at(0);
  }
  template <bool Inclusive, int _N, class Op, class Prefix>
  HEDDLE_MEMBER void heddle_items(_T (&v)[_N], _T (&out)[_N], Op op, Prefix &before) {
    _T own = v[0], below{};
    for (int n = 1; n < _N; ++n)
      own = op(own, v[n]);
    _T all = heddle_scan(own, op, below), first = heddle_before(all, before);
    _T so_far = RowMajorTid(_X, _Y, _Z) == 0 ? first : op(first, below);
    for (int n = 0; n < _N; ++n) {
      _T upto = op(so_far, v[n]);
      out[n] = Inclusive ? upto : so_far;
      so_far = upto;
    }
  }
};

// Of the whole device, for host code. Types of lambdas must not be those of functions without a body.
extern "C" __attribute__((host, device)) cudaError_t heddle_cub_call(void *, size_t *, const void *const *given);
#define HEDDLE_CUB_CALL(name)                                                                                          \
  template <class... Args>                                                                                             \
  __attribute__((host, device, always_inline, nodebug)) static cudaError_t name(void *room, size_t &bytes,             \
                                                                                Args... args) {                        \
    const void *given[] = {(const void *)__builtin_addressof(args)..., nullptr};                                       \
    return heddle_cub_call(room, &bytes, given);                                                                       \
  }
struct DeviceReduce {
  HEDDLE_CUB_CALL(Sum)
  HEDDLE_CUB_CALL(Min)
  HEDDLE_CUB_CALL(Max)
  HEDDLE_CUB_CALL(ArgMin)
  HEDDLE_CUB_CALL(ArgMax)
  HEDDLE_CUB_CALL(Reduce)
  HEDDLE_CUB_CALL(ReduceByKey)
  HEDDLE_CUB_CALL(TransformReduce)
};
struct DeviceScan {
  HEDDLE_CUB_CALL(ExclusiveSum)
  HEDDLE_CUB_CALL(InclusiveSum)
  HEDDLE_CUB_CALL(ExclusiveScan)
  HEDDLE_CUB_CALL(InclusiveScanInit)
  HEDDLE_CUB_CALL(InclusiveScan)
  HEDDLE_CUB_CALL(InclusiveSumByKey)
  HEDDLE_CUB_CALL(ExclusiveSumByKey)
  HEDDLE_CUB_CALL(InclusiveScanByKey)
  HEDDLE_CUB_CALL(ExclusiveScanByKey)
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
  HEDDLE_CUB_CALL(UniqueByKey)
};
struct DeviceHistogram {
  HEDDLE_CUB_CALL(HistogramEven)
  HEDDLE_CUB_CALL(HistogramRange)
  HEDDLE_CUB_CALL(MultiHistogramEven)
};
struct DeviceSegmentedReduce {
  HEDDLE_CUB_CALL(Sum)
  HEDDLE_CUB_CALL(Min)
  HEDDLE_CUB_CALL(Max)
  HEDDLE_CUB_CALL(ArgMin)
  HEDDLE_CUB_CALL(ArgMax)
  HEDDLE_CUB_CALL(Reduce)
};
struct DeviceSegmentedRadixSort {
  HEDDLE_CUB_CALL(SortKeys)
  HEDDLE_CUB_CALL(SortKeysDescending)
  HEDDLE_CUB_CALL(SortPairs)
  HEDDLE_CUB_CALL(SortPairsDescending)
};
struct DeviceSegmentedSort {
  HEDDLE_CUB_CALL(SortKeys)
  HEDDLE_CUB_CALL(SortKeysDescending)
  HEDDLE_CUB_CALL(SortPairs)
  HEDDLE_CUB_CALL(SortPairsDescending)
};
struct DeviceMergeSort {
  HEDDLE_CUB_CALL(SortKeys)
  HEDDLE_CUB_CALL(SortPairs)
  HEDDLE_CUB_CALL(StableSortKeys)
  HEDDLE_CUB_CALL(StableSortPairs)
};
struct DeviceRunLengthEncode {
  HEDDLE_CUB_CALL(Encode)
  HEDDLE_CUB_CALL(NonTrivialRuns)
};
struct DevicePartition {
  HEDDLE_CUB_CALL(Flagged)
  HEDDLE_CUB_CALL(If)
};
struct DeviceMemcpy {
  HEDDLE_CUB_CALL(Batched)
};
struct DeviceCopy {
  HEDDLE_CUB_CALL(Batched)
};
// These ask for no room first.
#define HEDDLE_CUB_ROOMLESS(name)                                                                                      \
  template <class... Args>                                                                                             \
  __attribute__((host, device, always_inline, nodebug)) static cudaError_t name(Args... args) {                        \
    const void *given[] = {(const void *)__builtin_addressof(args)..., nullptr};                                       \
    return heddle_cub_call(nullptr, nullptr, given);                                                                   \
  }
struct DeviceFor {
  HEDDLE_CUB_ROOMLESS(Bulk)
  HEDDLE_CUB_ROOMLESS(ForEach)
  HEDDLE_CUB_ROOMLESS(ForEachN)
  HEDDLE_CUB_ROOMLESS(ForEachCopy)
  HEDDLE_CUB_ROOMLESS(ForEachCopyN)
};
struct DeviceTransform {
  HEDDLE_CUB_ROOMLESS(Transform)
  HEDDLE_CUB_ROOMLESS(TransformStableArgumentAddresses)
};
#undef HEDDLE_CUB_ROOMLESS
struct DeviceAdjacentDifference {
  HEDDLE_CUB_CALL(SubtractLeft)
  HEDDLE_CUB_CALL(SubtractLeftCopy)
  HEDDLE_CUB_CALL(SubtractRight)
  HEDDLE_CUB_CALL(SubtractRightCopy)
};
struct DeviceSpmv {
  HEDDLE_CUB_CALL(CsrMV)
};
#undef HEDDLE_CUB_CALL
// The bits of a number, as its own type and without sign.
template <unsigned int Bytes> struct heddle_bits;
template <> struct heddle_bits<1> { typedef unsigned char Type; };
template <> struct heddle_bits<2> { typedef unsigned short Type; };
template <> struct heddle_bits<4> { typedef unsigned int Type; };
template <> struct heddle_bits<8> { typedef unsigned long long Type; };
template <class _T> struct Traits {
  typedef typename heddle_bits<sizeof(_T)>::Type UnsignedBits;
  static constexpr UnsignedBits HIGH_BIT = UnsignedBits(1) << (sizeof(_T) * 8 - 1);
  static constexpr bool is_float = !__is_integral(_T);
  HEDDLE_BOTH UnsignedBits TwiddleIn(UnsignedBits key) {
    if constexpr (is_float)
      return key & HIGH_BIT ? UnsignedBits(~key) : UnsignedBits(key | HIGH_BIT);
    else
      return _T(-1) < _T(0) ? UnsignedBits(key ^ HIGH_BIT) : key;
  }
  HEDDLE_BOTH UnsignedBits TwiddleOut(UnsignedBits key) {
    if constexpr (is_float)
      return key & HIGH_BIT ? UnsignedBits(key & ~HIGH_BIT) : UnsignedBits(~key);
    else
      return _T(-1) < _T(0) ? UnsignedBits(key ^ HIGH_BIT) : key;
  }
};

} // namespace cub
#include "../heddle/cub_blocks.h"
namespace cub {
// The limits of a floating-point type.
template <class _T> struct FpLimits {
  HEDDLE_BOTH _T Max() {
    if constexpr (sizeof(_T) > 2)
      return std::numeric_limits<_T>::max();
    return _T(heddle_is_bfloat<_T>::value ? 3.38953139e38f : 65504.0f);
  }
  HEDDLE_BOTH _T Lowest() { return -Max(); }
};
template <int _X, class _I, class _T, int _N> HEDDLE_DEVICE void LoadDirectStriped(int rank, _I from, _T (&items)[_N]) {
  _Pragma("unroll") for (int n = 0; n < _N; ++n) items[n] = from[rank + n * _X];
}
template <int _X, class _T, int _N, class _O> HEDDLE_DEVICE void StoreDirectStriped(int rank, _O to, _T (&items)[_N]) {
  _Pragma("unroll") for (int n = 0; n < _N; ++n) to[rank + n * _X] = items[n];
}
template <class _I, class _T, int _N> HEDDLE_DEVICE void LoadDirectBlocked(int rank, _I from, _T (&items)[_N]) {
  _Pragma("unroll") for (int n = 0; n < _N; ++n) items[n] = from[rank * _N + n];
}
template <class _T, int _N, class _O> HEDDLE_DEVICE void StoreDirectBlocked(int rank, _O to, _T (&items)[_N]) {
  _Pragma("unroll") for (int n = 0; n < _N; ++n) to[rank * _N + n] = items[n];
}

// Iterators: what is read at a place.
template <class _T, class Offset = ptrdiff_t> struct CountingInputIterator {
  typedef _T value_type;
  _T now;
  HEDDLE_METHOD explicit CountingInputIterator(_T first) : now(first) {}
  template <class _N> HEDDLE_METHOD _T operator[](_N n) const { return _T(now + (_T)n); }
  HEDDLE_METHOD _T operator*() const { return now; }
  template <class _N> HEDDLE_METHOD CountingInputIterator operator+(_N n) const {
    return CountingInputIterator(_T(now + (_T)n));
  }
};
template <class _T, class Offset = ptrdiff_t> struct ConstantInputIterator {
  typedef _T value_type;
  _T value;
  HEDDLE_METHOD explicit ConstantInputIterator(_T value, Offset = 0) : value(value) {}
  template <class _N> HEDDLE_METHOD _T operator[](_N) const { return value; }
  HEDDLE_METHOD _T operator*() const { return value; }
  template <class _N> HEDDLE_METHOD ConstantInputIterator operator+(_N) const { return *this; }
};
template <class _T, class _F, class _I, class Offset = ptrdiff_t> struct TransformInputIterator {
  typedef _T value_type;
  _I under;
  _F f;
  HEDDLE_METHOD TransformInputIterator(_I under, _F f) : under(under), f(f) {}
  template <class _N> HEDDLE_METHOD _T operator[](_N n) const { return f(under[n]); }
  HEDDLE_METHOD _T operator*() const { return f(*under); }
  template <class _N> HEDDLE_METHOD TransformInputIterator operator+(_N n) const { return {under + n, f}; }
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
// What a cache is told changes no value: a volatile load alone is another one.
template <CacheLoadModifier How, class _T> struct heddle_loaded {
  HEDDLE_BOTH _T from(const _T *at) {
    if constexpr (How == LOAD_VOLATILE || How == LOAD_CV)
      return *(const volatile _T *)at;
    return *at;
  }
};
template <CacheLoadModifier How = LOAD_DEFAULT, class _T> HEDDLE_DEVICE _T ThreadLoad(const _T *at) {
  return heddle_loaded<How, _T>::from(at);
}
template <CacheLoadModifier How, class _T, class Offset = ptrdiff_t> struct CacheModifiedInputIterator {
  typedef _T value_type;
  const _T *under;
  HEDDLE_METHOD CacheModifiedInputIterator(const _T *under) : under(under) {}
  template <class _N> HEDDLE_METHOD _T operator[](_N n) const { return heddle_loaded<How, _T>::from(under + n); }
  HEDDLE_METHOD _T operator*() const { return heddle_loaded<How, _T>::from(under); }
  template <class _N> HEDDLE_METHOD CacheModifiedInputIterator operator+(_N n) const { return {under + n}; }
};
template <class _I, class Offset = ptrdiff_t, class _T = ::std::remove_cv_t<::std::remove_reference_t<decltype(*_I())>>>
struct ArgIndexInputIterator {
  typedef KeyValuePair<Offset, _T> value_type;
  _I under;
  Offset first;
  HEDDLE_METHOD ArgIndexInputIterator(_I under, Offset first = 0) : under(under), first(first) {}
  template <class _N> HEDDLE_METHOD value_type operator[](_N n) const {
    value_type pair;
    pair.key = first + (Offset)n;
    pair.value = under[n];
    return pair;
  }
  HEDDLE_METHOD value_type operator*() const { return (*this)[0]; }
  template <class _N> HEDDLE_METHOD ArgIndexInputIterator operator+(_N n) const { return {under + n, first + (Offset)n}; }
};
// What is stored through it is not kept.
template <class Offset = ptrdiff_t> struct DiscardOutputIterator {
  Offset at;
  struct Place {
    template <class _T> HEDDLE_METHOD const Place &operator=(const _T &) const { return *this; }
  };
  HEDDLE_METHOD DiscardOutputIterator(Offset at = 0) : at(at) {}
  template <class _N> HEDDLE_METHOD Place operator[](_N) const { return {}; }
  HEDDLE_METHOD Place operator*() const { return {}; }
  template <class _N> HEDDLE_METHOD DiscardOutputIterator operator+(_N n) const { return {Offset(at + n)}; }
};
struct Equality {
  template <class _A, class _B> HEDDLE_METHOD bool operator()(const _A &a, const _B &b) const { return a == b; }
};
struct Inequality {
  template <class _A, class _B> HEDDLE_METHOD bool operator()(const _A &a, const _B &b) const { return a != b; }
};
// Memory of the device for host code.
struct CachingDeviceAllocator {
  CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false);
  CachingDeviceAllocator(unsigned int growth, unsigned int min_bin = 1, unsigned int max_bin = ~0u,
                         size_t max_cached = ~(size_t)0, bool skip_cleanup = false, bool debug = false);
  cudaError_t DeviceAllocate(void **, size_t, cudaStream_t = 0);
  cudaError_t DeviceAllocate(int device, void **, size_t, cudaStream_t = 0);
  cudaError_t DeviceFree(void *);
  cudaError_t DeviceFree(int device, void *);
  cudaError_t FreeAllCached();
};
HEDDLE_BOTH cudaError_t Debug(cudaError_t error, const char *, int) { return error; }
template <class _T> struct DoubleBuffer {
  _T *d_buffers[2];
  int selector;
  HEDDLE_MEMBER DoubleBuffer() : d_buffers{}, selector(0) {}
  __attribute__((host, device)) DoubleBuffer(_T *now, _T *other) : d_buffers{now, other}, selector(0) {}
  __attribute__((host, device)) _T *Current() { return d_buffers[selector]; }
  __attribute__((host, device)) _T *Alternate() { return d_buffers[selector ^ 1]; }
};
} // namespace cub
