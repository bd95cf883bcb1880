// The block after next is of another cluster, which the barrier does not wait for.
// launch: grid=any block=any passes=races

__global__ void __cluster_dims__(2) __launch_bounds__(64) k(int *out, int *seen) {
  unsigned block = blockIdx.x, other = block ^ 2;
  out[block * 64 + threadIdx.x] = threadIdx.x; // ~ HD0102
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  seen[block * 64 + threadIdx.x] = out[other * 64 + threadIdx.x];
}
