// The tiles of two blocks overlap.
// launch: grid=any block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void k(int *out) {
  __shared__ alignas(128) int s[64];
  s[threadIdx.x] = blockIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out + 32 * blockIdx.x), "r"(at(s)) : "memory");  // ~ HD0102
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
