// Waits poll in a loop of their own, the first of them before the loop over stages.
// launch: grid=any block=any assume="blockDim.x == 384" passes=intra-warp-race,intra-block-race,inter-block-race,async-copies
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define expect(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define bring(to, from, n, b)                                                                                          \
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %2}], [%3];"              \
               ::"r"(at(to)), "l"(from), "r"(n), "r"(at(b)) : "memory")
#define fence() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define commit() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define finish(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
#define operand(p) (((unsigned long long)(at(p) & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62)
#define product(d, a, b)                                                                                               \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"            \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(operand(a)), "l"(operand(b)))
constexpr int S = 3;
struct alignas(1024) Stage {
  unsigned short a[2][64][64], b[8][64];
};
__device__ bool over(long long *b, unsigned parity) {
  int is_over;
  asm volatile("{\n"
               ".reg .pred P1;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%1], %2;\n"
               "selp.s32 %0, 1, 0, P1;\n"
               "}" : "=r"(is_over) : "r"(at(b)), "r"(parity) : "memory");
  return is_over;
}
__device__ void wait(long long *b, unsigned parity) {
  while (!over(b, parity)) {
  }
}
__global__ void k(float4 *out, const void *map, const void *other, int n) {
  __shared__ Stage s[S];
  __shared__ long long full[S], empty[S];
  int t = threadIdx.x, group = t / 128;
  if (t == 0)
    for (int i = 0; i < S; i++) {
      init(&full[i], 1);
      init(&empty[i], 2);
    }
  __syncthreads();
  int stage = 0;
  if (group == 0) {
    unsigned phase = 1;
    if (t == 0)
      for (int i = 0; i < n; i++) {
        wait(&empty[stage], phase);
        expect(&full[stage], sizeof(Stage));
        bring(s[stage].a, map, i, &full[stage]);
        bring(s[stage].b, other, i, &full[stage]);
        if (++stage == S) {
          stage = 0;
          phase ^= 1;
        }
      }
  } else {
    unsigned phase = 0;
    float d[4] = {0, 0, 0, 0};
    int before = 0;
    if (n > 0) {
      wait(&full[0], 0);
      fence();
      product(d, s[0].a[group - 1][0], s[0].b[0]);
      commit();
    }
    stage = 1;
    for (int i = 1; i < n; i++) {
      wait(&full[stage], phase);
      fence();
      product(d, s[stage].a[group - 1][0], s[stage].b[0]);
      commit();
      finish(1);
      if (t % 128 == 0)
        arrive(&empty[before]);
      if (++stage == S) {
        stage = 0;
        phase ^= 1;
      }
      if (++before == S)
        before = 0;
    }
    finish(0);
    if (n > 0 && t % 128 == 0)
      arrive(&empty[before]);
    out[blockIdx.x * 256 + t - 128] = make_float4(d[0], d[1], d[2], d[3]);
  }
}
