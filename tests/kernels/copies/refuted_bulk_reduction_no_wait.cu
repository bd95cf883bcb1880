// A tile is overwritten while a reduction may still read it.
// launch: grid=any block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void k(float *sums, const float *in, int n) {
  __shared__ alignas(128) float s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    s[t] = in[(blockIdx.x * n + i) * 64 + t]; // ~ HD0101 HD0105
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 256;" ::"l"(sums), "r"(at(s)) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
    __syncthreads();
  }
}
