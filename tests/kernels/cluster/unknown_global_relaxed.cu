// An arrival that is relaxed hands nothing over.
// launch: grid=any block=any passes=races

__global__ void __cluster_dims__(2) __launch_bounds__(64) k(int *out, int *seen) {
  unsigned block = blockIdx.x, other = block ^ 1;
  out[block * 64 + threadIdx.x] = threadIdx.x; // ~ HD0002
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  seen[block * 64 + threadIdx.x] = out[other * 64 + threadIdx.x];
}
