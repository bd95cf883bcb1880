// Cooperative groups: the groups of a block, of a cluster, of a grid and of parts of a warp.
//
// A group is its mask and its ranks. `grid_group::sync` is one call, `cudaCGSynchronizeGrid`, instead of the counter
// and the spin loop of a toolkit, which say the same less plainly.
#pragma once
#include "heddle/device.h"

extern "C" __attribute__((device, convergent, nothrow)) unsigned int cudaCGSynchronizeGrid(unsigned long long handle,
                                                                                          unsigned int flags);

#define HEDDLE_MEMBER __attribute__((device, always_inline, nodebug))

namespace cooperative_groups {
namespace heddle {
HEDDLE_DEVICE unsigned int rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HEDDLE_DEVICE unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
} // namespace heddle

struct thread_block {
  HEDDLE_MEMBER static void sync() { __nvvm_barrier_sync(0); }
  HEDDLE_MEMBER static unsigned int thread_rank() { return heddle::rank_in_block(); }
  HEDDLE_MEMBER static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  HEDDLE_MEMBER static unsigned int num_threads() { return size(); }
  HEDDLE_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  HEDDLE_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  HEDDLE_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  HEDDLE_MEMBER static dim3 dim_threads() { return group_dim(); }
  struct arrival_token {};
  HEDDLE_MEMBER arrival_token barrier_arrive() const { return {}; }
  HEDDLE_MEMBER void barrier_wait(arrival_token &&) const { sync(); }
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
  HEDDLE_MEMBER dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
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
  template <class T> HEDDLE_MEMBER static T *map_shared_rank(T *p, unsigned int rank) {
    T *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    return there;
  }
  HEDDLE_MEMBER static unsigned int query_shared_rank(const void *p) {
    unsigned int rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
    return rank;
  }
};

// What the groups within a warp share: `mask` are their lanes, `width` how many there are, `lane0` the first.
template <class Self> struct heddle_warp_part {
  HEDDLE_MEMBER unsigned int mask() const { return static_cast<const Self *>(this)->members(); }
  HEDDLE_MEMBER void sync() const { __syncwarp(mask()); }
  HEDDLE_MEMBER int any(int p) const { return __any_sync(mask(), p); }
  HEDDLE_MEMBER int all(int p) const { return __all_sync(mask(), p); }
};

template <unsigned int Size, class Parent = thread_block>
struct thread_block_tile : heddle_warp_part<thread_block_tile<Size, Parent>> {
  HEDDLE_MEMBER static constexpr unsigned int size() { return Size; }
  HEDDLE_MEMBER static constexpr unsigned int num_threads() { return Size; }
  HEDDLE_MEMBER unsigned int thread_rank() const { return heddle::rank_in_block() % Size; }
  HEDDLE_MEMBER unsigned int meta_group_rank() const { return heddle::rank_in_block() / Size; }
  HEDDLE_MEMBER unsigned int meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
  HEDDLE_MEMBER unsigned int members() const {
    return Size == 32 ? ~0u : ((1u << (Size % 32)) - 1) << (heddle::rank_in_block() % 32 / Size * Size);
  }
  template <class T> HEDDLE_MEMBER T shfl(T v, int lane) const { return __shfl_sync(members(), v, lane, Size); }
  template <class T> HEDDLE_MEMBER T shfl_down(T v, unsigned int d) const {
    return __shfl_down_sync(members(), v, d, Size);
  }
  template <class T> HEDDLE_MEMBER T shfl_up(T v, unsigned int d) const { return __shfl_up_sync(members(), v, d, Size); }
  template <class T> HEDDLE_MEMBER T shfl_xor(T v, unsigned int m) const {
    return __shfl_xor_sync(members(), v, m, Size);
  }
  HEDDLE_MEMBER unsigned int ballot(int p) const {
    return __ballot_sync(members(), p) >> (heddle::rank_in_block() % 32 / Size * Size);
  }
  template <class T> HEDDLE_MEMBER unsigned int match_any(T v) const { return __match_any_sync(members(), v); }
};

struct coalesced_group : heddle_warp_part<coalesced_group> {
  unsigned int lanes;
  HEDDLE_MEMBER explicit coalesced_group(unsigned int lanes) : lanes(lanes) {}
  HEDDLE_MEMBER unsigned int members() const { return lanes; }
  HEDDLE_MEMBER unsigned int size() const { return __popc(lanes); }
  HEDDLE_MEMBER unsigned int num_threads() const { return size(); }
  HEDDLE_MEMBER unsigned int thread_rank() const { return __popc(lanes & ((1u << heddle::lane()) - 1)); }
  // The n-th set bit of the mask is the lane that the rank stands for.
  HEDDLE_MEMBER unsigned int lane_of(unsigned int rank) const { return __nvvm_fns(lanes, 0, rank + 1); }
  template <class T> HEDDLE_MEMBER T shfl(T v, int rank) const { return __shfl_sync(lanes, v, lane_of(rank)); }
  template <class T> HEDDLE_MEMBER T shfl_down(T v, unsigned int d) const {
    unsigned int rank = thread_rank() + d;
    return __shfl_sync(lanes, v, rank < size() ? lane_of(rank) : heddle::lane());
  }
  template <class T> HEDDLE_MEMBER T shfl_up(T v, unsigned int d) const {
    unsigned int rank = thread_rank();
    return __shfl_sync(lanes, v, rank >= d ? lane_of(rank - d) : heddle::lane());
  }
  HEDDLE_MEMBER unsigned int ballot(int p) const { return __ballot_sync(lanes, p); }
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
  HEDDLE_MEMBER void sync() const {
    if (lanes)
      __syncwarp(lanes);
    else
      thread_block::sync();
  }
};
HEDDLE_DEVICE thread_group tiled_partition(const thread_group &, unsigned int size) {
  unsigned int rank = heddle::rank_in_block();
  unsigned int lanes = size == 32 ? ~0u : ((1u << (size % 32)) - 1) << (rank % 32 / size * size);
  return {lanes, size, rank % size};
}

HEDDLE_DEVICE thread_block this_thread_block() { return {}; }
HEDDLE_DEVICE cluster_group this_cluster() { return {}; }
HEDDLE_DEVICE grid_group this_grid() { return {}; }
HEDDLE_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
template <unsigned int Size, class Parent> HEDDLE_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}
template <class T> HEDDLE_DEVICE coalesced_group labeled_partition(const coalesced_group &g, T label) {
  return coalesced_group(__match_any_sync(g.lanes, label));
}
HEDDLE_DEVICE coalesced_group binary_partition(const coalesced_group &g, bool p) {
  unsigned int yes = __ballot_sync(g.lanes, p);
  return coalesced_group(p ? yes : g.lanes & ~yes);
}

template <class Group> HEDDLE_DEVICE void sync(const Group &group) { group.sync(); }
template <class Group> HEDDLE_DEVICE auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> HEDDLE_DEVICE auto group_size(const Group &group) { return group.size(); }
} // namespace cooperative_groups
