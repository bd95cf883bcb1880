// Between the halves of the barrier of a cluster, a thread reads what others wrote before theirs.
// launch: grid=4 block=128 cluster=4
#define cluster_arrive() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define cluster_wait() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")

__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    if (t < 64)
      s[t] = i; // ~ HD0101
    cluster_arrive();
    if (t >= 64)
      out[blockIdx.x * 64 + t] = i;
    if (t >= 64)
      out[1024 + blockIdx.x * 64 + t] = s[t - 64];
    cluster_wait();
  }
}
