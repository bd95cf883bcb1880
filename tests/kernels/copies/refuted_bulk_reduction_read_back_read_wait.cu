// Sums are read when the reduction has read its tile, and may not have added it.
// launch: grid=any block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void k(float *sums, float *out) {
  __shared__ alignas(128) float s[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 256;" ::"l"(sums + blockIdx.x * 64), "r"(at(s)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = sums[blockIdx.x * 64 + 63 - t]; // ~ HD0101 HD0105
}
