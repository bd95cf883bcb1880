// A fence of the device before a relaxed arrival releases what was written.
// launch: grid=2 block=64 cluster=2
#define arrive_relaxed() asm volatile("barrier.cluster.arrive.relaxed.aligned;")
#define wait_for_cluster() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")
__global__ void k(int *data, int *out) {
  int t = threadIdx.x, block = blockIdx.x;
  data[block * 64 + t] = t;
  __threadfence();
  arrive_relaxed();
  wait_for_cluster();
  out[block * 64 + t] = data[(1 - block) * 64 + t];
}
