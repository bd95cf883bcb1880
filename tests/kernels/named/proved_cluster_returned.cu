// The barrier of a cluster does not wait for warps that have returned.
// launch: grid=2 block=64 cluster=2
#define cluster_arrive() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define cluster_wait() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")

__global__ void k(int *out) {
  int t = threadIdx.x;
  out[blockIdx.x * 64 + t] = t;
  if (t >= 32)
    return;
  cluster_arrive();
  cluster_wait(); // ~ HD0203
  out[128 + blockIdx.x * 64 + t] = out[(1 - blockIdx.x) * 64 + t];
}
