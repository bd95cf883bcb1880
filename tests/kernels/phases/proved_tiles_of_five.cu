// Five stages, tile after tile.
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

__global__ void k(int *out, const int *in, int n, int tiles) {
  __shared__ alignas(128) int s[5][64];
  __shared__ long long full[5], empty[5];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 5; i++) {
      init(&full[i], 1);
      init(&empty[i], blockDim.x - 32);
    }
  __syncthreads();
  int stage = 0;
  if (t < 32) {
    unsigned phase = 1;
    if (t == 0)
      for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        for (int i = 0; i < n; i++) {
          wait(&empty[stage], phase);
          expect(&full[stage], 256);
          bring(s[stage], in + (tile + i) * 64, 256, &full[stage]);
          if (++stage == 5) {
            stage = 0;
            phase ^= 1;
          }
        }
  } else {
    unsigned phase = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      int sum = 0;
      for (int i = 0; i < n; i++) {
        wait(&full[stage], phase);
        sum += s[stage][63 - t % 64];
        arrive(&empty[stage]);
        if (++stage == 5) {
          stage = 0;
          phase ^= 1;
        }
      }
      out[tile * blockDim.x + t] = sum;
    }
  }
}
