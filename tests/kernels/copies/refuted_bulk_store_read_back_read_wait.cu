// The wait frees the source alone: the bytes may not have been written.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void k(int *out, int *sum) {
  __shared__ alignas(128) int s[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out), "r"(at(s)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    *sum = out[63];  // ~ HD0105
  }
}
