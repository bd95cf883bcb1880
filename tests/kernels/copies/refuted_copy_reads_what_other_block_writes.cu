// The first block of a cluster copies from what the second one writes after the barrier of both.
// launch: grid=2 block=32 cluster=2
__global__ void k(int *p) {
  __shared__ __align__(16) int tile[32];
  int t = threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(&tile[t]);
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  if (blockIdx.x == 0) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(p + t) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    p[64 + t] = tile[t];
  }
  if (blockIdx.x == 1) p[t] = 3; // ~ HD0102
}
