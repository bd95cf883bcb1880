// Cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
__global__ void k1(int *out, const int *in) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(int) * 64);
  cg::wait(block);
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void k2(int *out, int *in, float4 *f) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  auto w = cg::tiled_partition<4>(tile);
  int v = in[threadIdx.x];
  int r = cg::reduce(tile, v, cg::plus<int>()) + cg::reduce(w, v, cg::greater<int>());
  int e = cg::exclusive_scan(tile, v) + cg::inclusive_scan(tile, v, cg::plus<int>());
  f[threadIdx.x] = tile.shfl_down(f[threadIdx.x], 1);
  auto lab = cg::labeled_partition(tile, v % 3);
  auto bin = cg::binary_partition(tile, v > 3);
  int q = cg::reduce(lab, v, cg::bit_or<int>());
  cuda::atomic_ref<int, cuda::thread_scope_device> a(out[1000]);
  cg::reduce_update_async(tile, a, v, cg::plus<int>());
  int x = cg::exclusive_scan_update(tile, a, v, cg::plus<int>());
  if (v > 3) { auto act = cg::coalesced_threads(); if (act.thread_rank() == 0) atomicAdd(&out[1001], act.size()); act.sync(); x += act.shfl(v, 0); x+=act.ballot(v); }
  cg::thread_group tg = cg::tiled_partition(block, 8);
  tg.sync();
  cg::invoke_one(tile, [&] { out[2000 + threadIdx.x] = 1; });
  x += cg::invoke_one_broadcast(tile, [&] { return 3; });
  out[threadIdx.x] = r + e + q + x + tile.match_any(v) + bin.size();
  auto big = cg::tiled_partition<64>(block); 
}
