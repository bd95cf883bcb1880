// Blocks of a cluster hand over global memory at its barrier; those of two clusters share nothing.
// launch: grid=any block=any passes=races,barrier-divergence

__global__ void __cluster_dims__(2) __launch_bounds__(64) k(int *out, int *seen) {
  unsigned block = blockIdx.x, other = block ^ 1;
  out[block * 64 + threadIdx.x] = threadIdx.x;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  seen[block * 64 + threadIdx.x] = out[other * 64 + threadIdx.x];
}
