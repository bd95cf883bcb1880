// The second stage reaches into the barrier objects.
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
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define expect(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define bring(to, from, n, b)                                                                                          \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"              \
               ::"r"(at(to)), "l"(from), "r"(n), "r"(at(b)) : "memory")

__global__ void k(int *out, const int *in, int n) {
  extern __shared__ char raw[];
  auto *s = reinterpret_cast<int(*)[64]>(raw);
  auto *full = reinterpret_cast<long long *>(raw + 448);
  auto *empty = full + 2;
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 2; i++) {
      init(&full[i], 1);
      init(&empty[i], blockDim.x);
    }
  __syncthreads();
  for (int i = 0; i < n; i++) {
    if (t == 0) {
      wait(&empty[i % 2], ~(i / 2) & 1);
      expect(&full[i % 2], 256);
      bring(s[i % 2], in + i * 64, 256, &full[i % 2]); // ~ HD0101 HD0001
    }
    wait(&full[i % 2], i / 2 & 1);
    out[(blockIdx.x * n + i) * blockDim.x + t] = s[i % 2][63 - t % 64]; // ~ HD0101
    arrive(&empty[i % 2]);
  }
}
