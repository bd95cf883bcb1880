// Only half of the threads that multiply fence.
// launch: grid=any block=128
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define fence() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define commit() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define finish(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
#define operand(p) (((unsigned long long)(at(p) & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62)
#define product(d, a, b)                                                                                               \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"            \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(operand(a)), "l"(operand(b)))

__global__ void k(float4 *out, const int4 *in, int n) {
  __shared__ alignas(1024) int4 a[64][8], b[8][8];
  int t = threadIdx.x;
  float d[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; i++) {
    for (int row = t / 8; row < 64; row += 16)
      a[row][t % 8] = in[i * 576 + row * 8 + t % 8];
    if (t < 64)
      b[t / 8][t % 8] = in[i * 576 + 512 + t];
    __syncthreads();
    if (t < 64)
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    fence();
    product(d, a, b); // ~ HD0002
    commit();
    finish(0);
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = make_float4(d[0], d[1], d[2], d[3]);
}
