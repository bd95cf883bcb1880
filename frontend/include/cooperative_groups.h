// Cooperative groups: the groups of a block, of a cluster, of a grid and of parts of a warp.
//
// A group is its mask and its ranks. `grid_group::sync` is one call, `cudaCGSynchronizeGrid`, instead of the counter
// and the spin loop of a toolkit, which say the same with more code. Barriers of a block or a grid that are arrived at
// and waited for in two steps, tiles of more than one warp, and grids of several devices are calls without a body:
// kernels that use them are unknown.
#pragma once
#include "heddle/device.h"

#define _CG_HAS_CLUSTER_GROUP
#define _CG_VERSION 12080

extern "C" {
__attribute__((device)) unsigned int heddle_group_barrier_arrive();
__attribute__((device)) void heddle_group_barrier_wait(unsigned int);
__attribute__((device)) void heddle_tile_of_several_warps();
__attribute__((device)) void heddle_grids_of_several_devices();
}

extern "C" __attribute__((device, convergent, nothrow)) unsigned int cudaCGSynchronizeGrid(unsigned long long handle,
                                                                                          unsigned int flags);

#define HEDDLE_MEMBER __attribute__((device, always_inline, nodebug))

namespace cooperative_groups {
namespace heddle {
HEDDLE_DEVICE unsigned int rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HEDDLE_DEVICE unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
// Another one of `count`, where it is not said which one does a part: neither the one itself nor one beside it.
HEDDLE_DEVICE unsigned int turned(unsigned int rank, unsigned int count) {
  unsigned int by = count > 7 ? 7 : 1;
  return rank + by >= count ? rank + by - count : rank + by;
}

// A shuffle of a value of any type: word by word where no shuffle takes the whole.
template <class _T> struct is_plain { static constexpr bool value = false; };
#define HEDDLE_PLAIN(_T)                                                                                               \
  template <> struct is_plain<_T> { static constexpr bool value = true; };
HEDDLE_PLAIN(int)
HEDDLE_PLAIN(unsigned int)
HEDDLE_PLAIN(long)
HEDDLE_PLAIN(unsigned long)
HEDDLE_PLAIN(long long)
HEDDLE_PLAIN(unsigned long long)
HEDDLE_PLAIN(float)
HEDDLE_PLAIN(double)
#undef HEDDLE_PLAIN
#define HEDDLE_SHUFFLE_ANY(name, shuffle, Lane)                                                                        \
  template <class _T> HEDDLE_DEVICE _T name(unsigned int mask, _T v, Lane lane, int width = 32) {                      \
    if constexpr (is_plain<_T>::value) {                                                                               \
      return shuffle(mask, v, lane, width);                                                                            \
    } else if constexpr (sizeof(_T) < 4) {                                                                             \
      unsigned int word = 0;                                                                                           \
      __builtin_memcpy(&word, &v, sizeof(_T));                                                                         \
      word = shuffle(mask, word, lane, width);                                                                         \
      __builtin_memcpy(&v, &word, sizeof(_T));                                                                         \
      return v;                                                                                                        \
    } else {                                                                                                           \
      static_assert(sizeof(_T) % 4 == 0, "the value is made of words");                                                \
      unsigned int words[sizeof(_T) / 4];                                                                              \
      __builtin_memcpy(words, &v, sizeof(_T));                                                                         \
      _Pragma("unroll") for (unsigned int n = 0; n < sizeof(_T) / 4; ++n) words[n] =                                   \
          shuffle(mask, words[n], lane, width);                                                                        \
      __builtin_memcpy(&v, words, sizeof(_T));                                                                         \
      return v;                                                                                                        \
    }                                                                                                                  \
  }
HEDDLE_SHUFFLE_ANY(shuffle, __shfl_sync, int)
HEDDLE_SHUFFLE_ANY(shuffle_up, __shfl_up_sync, unsigned int)
HEDDLE_SHUFFLE_ANY(shuffle_down, __shfl_down_sync, unsigned int)
HEDDLE_SHUFFLE_ANY(shuffle_xor, __shfl_xor_sync, int)
} // namespace heddle

struct thread_block {
  HEDDLE_MEMBER static void sync() { __nvvm_barrier_sync(0); }
  HEDDLE_MEMBER static unsigned int heddle_count(bool p) { return __syncthreads_count(p); }
  HEDDLE_MEMBER static unsigned int thread_rank() { return heddle::rank_in_block(); }
  HEDDLE_MEMBER static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  HEDDLE_MEMBER static unsigned int num_threads() { return size(); }
  HEDDLE_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  HEDDLE_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  HEDDLE_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  HEDDLE_MEMBER static dim3 dim_threads() { return group_dim(); }
  struct arrival_token {
    unsigned int phase;
  };
  HEDDLE_MEMBER arrival_token barrier_arrive() const { return {heddle_group_barrier_arrive()}; }
  HEDDLE_MEMBER void barrier_wait(arrival_token &&token) const { heddle_group_barrier_wait(token.phase); }
};

struct grid_group {
  HEDDLE_MEMBER void sync() const { cudaCGSynchronizeGrid(0, 0); }
  HEDDLE_MEMBER bool is_valid() const { return true; }
  HEDDLE_MEMBER unsigned long long size() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size();
  }
  HEDDLE_MEMBER unsigned long long num_threads() const { return size(); }
  HEDDLE_MEMBER unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  HEDDLE_MEMBER unsigned long long block_rank() const {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  HEDDLE_MEMBER unsigned long long thread_rank() const {
    return block_rank() * thread_block::size() + heddle::rank_in_block();
  }
  typedef thread_block::arrival_token arrival_token;
  HEDDLE_MEMBER arrival_token barrier_arrive() const { return {heddle_group_barrier_arrive()}; }
  HEDDLE_MEMBER void barrier_wait(arrival_token &&token) const { heddle_group_barrier_wait(token.phase); }
  HEDDLE_MEMBER dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  HEDDLE_MEMBER dim3 dim_blocks() const { return group_dim(); }
  HEDDLE_MEMBER dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  HEDDLE_MEMBER dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};

// A cluster's registers and barrier as inline PTX: clang's builtins for them want an architecture that has clusters.
#define HEDDLE_CLUSTER_REGISTER(name, reg)                                                                             \
  HEDDLE_MEMBER static unsigned int name() {                                                                           \
    unsigned int v;                                                                                                    \
    asm("mov.u32 %0, %%" reg ";" : "=r"(v));                                                                           \
    return v;                                                                                                          \
  }
struct cluster_group {
  HEDDLE_CLUSTER_REGISTER(block_rank, "cluster_ctarank")
  HEDDLE_CLUSTER_REGISTER(num_blocks, "cluster_nctarank")
  HEDDLE_CLUSTER_REGISTER(block_x, "cluster_ctaid.x")
  HEDDLE_CLUSTER_REGISTER(block_y, "cluster_ctaid.y")
  HEDDLE_CLUSTER_REGISTER(block_z, "cluster_ctaid.z")
  HEDDLE_CLUSTER_REGISTER(blocks_x, "cluster_nctaid.x")
  HEDDLE_CLUSTER_REGISTER(blocks_y, "cluster_nctaid.y")
  HEDDLE_CLUSTER_REGISTER(blocks_z, "cluster_nctaid.z")
  struct arrival_token {};
  HEDDLE_MEMBER static arrival_token barrier_arrive() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    return {};
  }
  HEDDLE_MEMBER static void barrier_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
  HEDDLE_MEMBER static void barrier_wait(arrival_token &&) { barrier_wait(); }
  HEDDLE_MEMBER static void sync() {
    barrier_arrive();
    barrier_wait();
  }
  HEDDLE_MEMBER static dim3 block_index() { return dim3(block_x(), block_y(), block_z()); }
  HEDDLE_MEMBER static dim3 dim_blocks() { return dim3(blocks_x(), blocks_y(), blocks_z()); }
  HEDDLE_MEMBER static unsigned int num_threads() { return num_blocks() * thread_block::size(); }
  HEDDLE_MEMBER static unsigned int size() { return num_threads(); }
  HEDDLE_MEMBER static unsigned int thread_rank() {
    return block_rank() * thread_block::size() + heddle::rank_in_block();
  }
  // The same variable in the shared memory of the block of that rank.
  template <class _T> HEDDLE_MEMBER static _T *map_shared_rank(_T *p, unsigned int rank) {
    _T *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    return there;
  }
  HEDDLE_MEMBER static unsigned int query_shared_rank(const void *p) {
    unsigned int rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
    return rank;
  }
};

// What the groups within a warp share: `members()` are their lanes.
template <class Self> struct heddle_warp_part {
  HEDDLE_MEMBER unsigned int mask() const { return static_cast<const Self *>(this)->members(); }
  HEDDLE_MEMBER void sync() const { __syncwarp(mask()); }
  HEDDLE_MEMBER int any(int p) const { return __any_sync(mask(), p); }
  HEDDLE_MEMBER int all(int p) const { return __all_sync(mask(), p); }
  HEDDLE_MEMBER unsigned int heddle_count(bool p) const { return __popc(__ballot_sync(mask(), p)); }
};

template <unsigned int Size, class Parent = thread_block> struct thread_block_tile;

// A thread in the group that a tile is a part of: the block, or a larger tile.
template <class Parent> struct heddle_parent;
template <> struct heddle_parent<thread_block> {
  HEDDLE_MEMBER static unsigned int rank() { return heddle::rank_in_block(); }
  HEDDLE_MEMBER static unsigned int size() { return thread_block::size(); }
};
template <unsigned int Size, class Of> struct heddle_parent<thread_block_tile<Size, Of>> {
  HEDDLE_MEMBER static unsigned int rank() { return heddle::rank_in_block() % Size; }
  HEDDLE_MEMBER static constexpr unsigned int size() { return Size; }
};

template <unsigned int Size, class Parent>
struct thread_block_tile : heddle_warp_part<thread_block_tile<Size, Parent>> {
  static_assert(Size <= 32, "tiles of several warps have a form of their own");
  HEDDLE_MEMBER static constexpr unsigned int size() { return Size; }
  HEDDLE_MEMBER static constexpr unsigned int num_threads() { return Size; }
  HEDDLE_MEMBER unsigned int thread_rank() const { return heddle::rank_in_block() % Size; }
  HEDDLE_MEMBER unsigned int meta_group_rank() const { return heddle_parent<Parent>::rank() / Size; }
  HEDDLE_MEMBER unsigned int meta_group_size() const { return (heddle_parent<Parent>::size() + Size - 1) / Size; }
  HEDDLE_MEMBER static unsigned int first_lane() { return heddle::rank_in_block() % 32 / Size * Size; }
  HEDDLE_MEMBER unsigned int members() const { return Size == 32 ? ~0u : ((1u << (Size % 32)) - 1) << first_lane(); }
  template <class _T> HEDDLE_MEMBER _T shfl(_T v, int lane) const { return heddle::shuffle(members(), v, lane, Size); }
  template <class _T> HEDDLE_MEMBER _T shfl_down(_T v, unsigned int d) const {
    return heddle::shuffle_down(members(), v, d, Size);
  }
  template <class _T> HEDDLE_MEMBER _T shfl_up(_T v, unsigned int d) const {
    return heddle::shuffle_up(members(), v, d, Size);
  }
  template <class _T> HEDDLE_MEMBER _T shfl_xor(_T v, unsigned int m) const {
    return heddle::shuffle_xor(members(), v, (int)m, Size);
  }
  HEDDLE_MEMBER unsigned int ballot(int p) const { return __ballot_sync(members(), p) >> first_lane(); }
  template <class _T> HEDDLE_MEMBER unsigned int match_any(_T v) const {
    return __match_any_sync(members(), v) >> first_lane();
  }
  template <class _T> HEDDLE_MEMBER unsigned int match_all(_T v, int &same) const {
    return __match_all_sync(members(), v, &same) >> first_lane();
  }
};
template <class Parent> struct heddle_wide_tile {
  HEDDLE_MEMBER void sync() const { heddle_tile_of_several_warps(); }
  HEDDLE_MEMBER int any(int p) const { return heddle_tile_of_several_warps(), p; }
  HEDDLE_MEMBER int all(int p) const { return heddle_tile_of_several_warps(), p; }
  template <class _T> HEDDLE_MEMBER _T shfl(_T v, int) const { return heddle_tile_of_several_warps(), v; }
};
#define HEDDLE_WIDE_TILE(Size)                                                                                         \
  template <class Parent> struct thread_block_tile<Size, Parent> : heddle_wide_tile<Parent> {                          \
    HEDDLE_MEMBER static constexpr unsigned int size() { return Size; }                                                \
    HEDDLE_MEMBER static constexpr unsigned int num_threads() { return Size; }                                         \
    HEDDLE_MEMBER unsigned int thread_rank() const { return heddle::rank_in_block() % Size; }                          \
    HEDDLE_MEMBER unsigned int meta_group_rank() const { return heddle_parent<Parent>::rank() / Size; }                \
    HEDDLE_MEMBER unsigned int meta_group_size() const { return (heddle_parent<Parent>::size() + Size - 1) / Size; }   \
  };
HEDDLE_WIDE_TILE(64)
HEDDLE_WIDE_TILE(128)
HEDDLE_WIDE_TILE(256)
HEDDLE_WIDE_TILE(512)
template <unsigned int Threads> struct block_tile_memory {
  unsigned char bytes[Threads];
};

struct coalesced_group : heddle_warp_part<coalesced_group> {
  unsigned int lanes, group_rank, group_count;
  HEDDLE_MEMBER explicit coalesced_group(unsigned int lanes) : lanes(lanes), group_rank(0), group_count(1) {}
  HEDDLE_MEMBER coalesced_group(unsigned int lanes, unsigned int rank, unsigned int count)
      : lanes(lanes), group_rank(rank), group_count(count) {}
  HEDDLE_MEMBER unsigned int members() const { return lanes; }
  HEDDLE_MEMBER unsigned int size() const { return __popc(lanes); }
  HEDDLE_MEMBER unsigned int num_threads() const { return size(); }
  HEDDLE_MEMBER unsigned int thread_rank() const { return __popc(lanes & ((1u << heddle::lane()) - 1)); }
  HEDDLE_MEMBER unsigned int meta_group_rank() const { return group_rank; }
  HEDDLE_MEMBER unsigned int meta_group_size() const { return group_count; }
  // The n-th set bit of the mask is the lane that the rank stands for.
  HEDDLE_MEMBER unsigned int lane_of(unsigned int rank) const {
    return rank ? __nvvm_fns(lanes, 0, rank + 1) : __ffs(lanes) - 1;
  }
  template <class _T> HEDDLE_MEMBER _T shfl(_T v, int rank) const { return heddle::shuffle(lanes, v, lane_of(rank)); }
  template <class _T> HEDDLE_MEMBER _T shfl_down(_T v, unsigned int d) const {
    unsigned int rank = thread_rank() + d;
    return heddle::shuffle(lanes, v, rank < size() ? lane_of(rank) : heddle::lane());
  }
  template <class _T> HEDDLE_MEMBER _T shfl_up(_T v, unsigned int d) const {
    unsigned int rank = thread_rank();
    return heddle::shuffle(lanes, v, rank >= d ? lane_of(rank - d) : heddle::lane());
  }
  // Lanes of the warp as ranks of the group.
  HEDDLE_MEMBER unsigned int packed(unsigned int warp_lanes) const {
    unsigned int ranks = 0, rank = 0;
    for (unsigned int lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1)
        ranks |= (warp_lanes >> lane & 1) << rank++;
    return ranks;
  }
  HEDDLE_MEMBER unsigned int ballot(int p) const { return packed(__ballot_sync(lanes, p)); }
  template <class _T> HEDDLE_MEMBER unsigned int match_any(_T v) const { return packed(__match_any_sync(lanes, v)); }
  template <class _T> HEDDLE_MEMBER unsigned int match_all(_T v, int &same) const {
    return packed(__match_all_sync(lanes, v, &same));
  }
};

// Any of the groups of a block, known at run time only.
struct thread_group {
  // 0 for the whole block; else the lanes of a part of a warp.
  unsigned int lanes, count, rank;
  HEDDLE_MEMBER thread_group(const thread_block &) : lanes(0), count(thread_block::size()), rank(heddle::rank_in_block()) {}
  template <unsigned int Size, class Parent>
  HEDDLE_MEMBER thread_group(const thread_block_tile<Size, Parent> &t)
      : lanes(t.members()), count(Size), rank(t.thread_rank()) {}
  HEDDLE_MEMBER thread_group(const coalesced_group &g) : lanes(g.lanes), count(g.size()), rank(g.thread_rank()) {}
  HEDDLE_MEMBER thread_group(unsigned int lanes, unsigned int count, unsigned int rank)
      : lanes(lanes), count(count), rank(rank) {}
  HEDDLE_MEMBER unsigned int size() const { return count; }
  HEDDLE_MEMBER unsigned int num_threads() const { return count; }
  HEDDLE_MEMBER unsigned int thread_rank() const { return rank; }
  HEDDLE_MEMBER bool is_valid() const { return true; }
  HEDDLE_MEMBER void sync() const {
    if (lanes)
      __syncwarp(lanes);
    else
      thread_block::sync();
  }
};
// The parts of a group that is known at run time: neighbours by rank.
HEDDLE_DEVICE thread_group tiled_partition(const thread_group &g, unsigned int size) {
  if (size > 32) {
    heddle_tile_of_several_warps();
    return {0, size, g.thread_rank() % size};
  }
  if (g.lanes == 0) {
    unsigned int rank = heddle::rank_in_block();
    unsigned int lanes = size == 32 ? ~0u : ((1u << (size % 32)) - 1) << (rank % 32 / size * size);
    return {lanes, size, rank % size};
  }
  unsigned int lanes = 0, rank = 0, first = g.thread_rank() / size * size;
  for (unsigned int lane = 0; lane < 32; ++lane)
    if (g.lanes >> lane & 1) {
      lanes |= (unsigned int)(rank - first < size) << lane;
      ++rank;
    }
  return {lanes, (unsigned int)__popc(lanes), g.thread_rank() - first};
}
HEDDLE_DEVICE coalesced_group tiled_partition(const coalesced_group &g, unsigned int size) {
  thread_group part = tiled_partition(thread_group(g), size);
  return coalesced_group(part.lanes, g.thread_rank() / size, (g.size() + size - 1) / size);
}

HEDDLE_DEVICE thread_block this_thread_block() { return {}; }
HEDDLE_DEVICE cluster_group this_cluster() { return {}; }
HEDDLE_DEVICE grid_group this_grid() { return {}; }
HEDDLE_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
HEDDLE_DEVICE thread_group this_thread() { return {1u << heddle::lane(), 1, 0}; }
template <unsigned int Size, class Parent> HEDDLE_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}
template <unsigned int Size, class Memory> HEDDLE_DEVICE thread_block this_thread_block(Memory &) { return {}; }
template <unsigned int Threads> HEDDLE_DEVICE thread_block this_thread_block(block_tile_memory<Threads> &) { return {}; }
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
} // namespace experimental

// The lanes of a group whose labels, or answers, are the same.
template <class Group, class _T> HEDDLE_DEVICE coalesced_group labeled_partition(const Group &g, _T label) {
  unsigned int mates = __match_any_sync(g.members(), label);
  unsigned int first = mates & -mates;
  unsigned int leaders = __ballot_sync(g.members(), first == 1u << heddle::lane());
  return coalesced_group(mates, __popc(leaders & (first - 1)), __popc(leaders));
}
template <class Group> HEDDLE_DEVICE coalesced_group binary_partition(const Group &g, bool p) {
  unsigned int yes = __ballot_sync(g.members(), p);
  return coalesced_group(p ? yes : g.members() & ~yes, p, 2);
}

struct multi_grid_group {
  HEDDLE_MEMBER void sync() const { heddle_grids_of_several_devices(); }
  HEDDLE_MEMBER bool is_valid() const { return true; }
  HEDDLE_MEMBER unsigned int grid_rank() const { return heddle_grids_of_several_devices(), 0; }
  HEDDLE_MEMBER unsigned int num_grids() const { return heddle_grids_of_several_devices(), 1; }
  HEDDLE_MEMBER unsigned long long thread_rank() const { return grid_group().thread_rank(); }
  HEDDLE_MEMBER unsigned long long size() const { return grid_group().size(); }
};
HEDDLE_DEVICE multi_grid_group this_multi_grid() { return {}; }

// One thread of the group runs a function. Which one is not specified: a proof holds for each, and runs take neither the
// first nor the last.
// Another function may be run by another thread: the choice depends on its type, which a lambda has for itself.
template <class _F> constexpr unsigned int heddle_site() {
  unsigned int mixed = 2166136261u;
  for (const char *at = __PRETTY_FUNCTION__; *at; ++at)
    mixed = (mixed ^ (unsigned char)*at) * 16777619u;
  return mixed;
}
template <class _F, class Group> HEDDLE_DEVICE unsigned int heddle_chosen(const Group &g) {
  constexpr float part = 0.25f + (float)(heddle_site<_F>() % 4096u) / 8192.0f;
  return (unsigned int)__nv_heddle_nearf((float)(unsigned int)((unsigned long long)g.size() * 11 / 32) + part);
}
template <class Group, class _F, class... Args> HEDDLE_DEVICE void invoke_one(const Group &g, _F &&f, Args &&...args) {
  if (g.thread_rank() == heddle_chosen<_F>(g))
    f(static_cast<Args &&>(args)...);
}
template <class Group, class _F, class... Args>
HEDDLE_DEVICE auto invoke_one_broadcast(const Group &g, _F &&f, Args &&...args)
    -> decltype(f(static_cast<Args &&>(args)...)) {
  decltype(f(static_cast<Args &&>(args)...)) v{};
  if (g.thread_rank() == heddle_chosen<_F>(g))
    v = f(static_cast<Args &&>(args)...);
  return g.shfl(v, (int)heddle_chosen<_F>(g));
}

template <class Group> HEDDLE_DEVICE void sync(const Group &group) { group.sync(); }
template <class Group> HEDDLE_DEVICE auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> HEDDLE_DEVICE bool is_valid(const Group &) { return true; }
template <class Group> HEDDLE_DEVICE auto group_size(const Group &group) { return group.size(); }
} // namespace cooperative_groups
