// The first block of a cluster copies to what the second one writes, after the barrier of both.
// launch: grid=2 block=32 cluster=2
__global__ void k(int *out) {
  __shared__ __align__(16) int tile[32];
  int t = threadIdx.x;
  unsigned from = (unsigned)__cvta_generic_to_shared(tile);
  tile[t] = blockIdx.x + t;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  if (t == 0 && blockIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" // ~ HD0102
                 ::"l"(out), "r"(from) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
  if (blockIdx.x == 1) out[t] = 3;
}
