// Blocks wait for their cluster, and nothing says how many those are: each arrival waits at once.
// launch: grid=2 block=64
#define cluster_arrive() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define cluster_wait() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")

__global__ void k(int *out) {
  int t = threadIdx.x;
  out[blockIdx.x * 64 + t] = t;
  cluster_arrive();
  cluster_wait();
  out[128 + blockIdx.x * 64 + t] = t;
}
