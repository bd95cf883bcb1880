// One block of a cluster returns without coming to its barrier, which does not wait for it.
// launch: grid=2 block=64 cluster=2
#define cluster_arrive() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define cluster_wait() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")

__global__ void k(int *out) {
  int t = threadIdx.x;
  out[blockIdx.x * 64 + t] = t;
  if (blockIdx.x != 0)
    return;
  cluster_arrive();
  cluster_wait();
}
