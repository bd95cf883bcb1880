// The stage after the one that was waited for is read.
// launch: grid=any block=any passes=intra-warp-race,intra-block-race,inter-block-race,async-copies
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define wait(b, parity)                                                                                                \
  asm volatile("{\n"                                                                                                   \
               ".reg .pred P1;\n"                                                                                      \
               "LAB_WAIT:\n"                                                                                           \
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"                                              \
               "@P1 bra DONE;\n"                                                                                       \
               "bra LAB_WAIT;\n"                                                                                       \
               "DONE:\n"                                                                                               \
               "}" ::"r"(at(b)), "r"(parity) : "memory")
#define expect(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define bring(to, from, n, b)                                                                                          \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"              \
               ::"r"(at(to)), "l"(from), "r"(n), "r"(at(b)) : "memory")

__global__ void k(int *out, const int *in, int n) {
  __shared__ alignas(128) int s[4][64];
  __shared__ long long full[4];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 4; i++)
      init(&full[i], 1);
  __syncthreads();
  if (t == 0)
    for (int i = 0; i < 3 && i < n; i++) {
      expect(&full[i], 256);
      bring(s[i], in + i * 64, 256, &full[i]); // ~ HD0101
    }
  for (int i = 0; i < n; i++) {
    wait(&full[i % 4], i / 4 & 1);
    out[(blockIdx.x * n + i) * blockDim.x + t] = s[(i + 1) % 4][63 - t % 64]; // ~ HD0002 HD0002
    __syncthreads();
    int j = i + 3;
    if (t == 0 && j < n) {
      expect(&full[j % 4], 256);
      bring(s[j % 4], in + j * 64, 256, &full[j % 4]);
    }
  }
}
