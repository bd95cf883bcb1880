// A block reads what the other wrote after it has arrived, and before it has waited.
// launch: grid=2 block=64 cluster=2
#define cluster_arrive() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define cluster_wait() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")

__global__ void k(int *out) {
  int t = threadIdx.x;
  out[blockIdx.x * 64 + t] = t; // ~ HD0102
  cluster_arrive();
  out[128 + blockIdx.x * 64 + t] = out[(1 - blockIdx.x) * 64 + t];
  cluster_wait();
}
