// Bulk copies into four stages, with stage and parity carried along, for any number of tiles.
// launch: grid=1 block=96
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)))
#define wait(b, phase)                                                                                                 \
  asm volatile("{\n"                                                                                                   \
               ".reg .pred P1;\n"                                                                                      \
               "LAB_WAIT:\n"                                                                                           \
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"                                              \
               "@P1 bra DONE;\n"                                                                                       \
               "bra LAB_WAIT;\n"                                                                                       \
               "DONE:\n"                                                                                               \
               "}" ::"r"(at(b)), "r"(phase))
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)))
#define expect(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%1], %0;" ::"r"(n), "r"(at(b)))
#define bring(to, from, n, b)                                                                                          \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"              \
               ::"r"(at(to)), "l"(from), "r"(n), "r"(at(b)) : "memory")

__global__ void k(int *out, const int *in, int n) {
  __shared__ alignas(128) int s[4][64];
  __shared__ long long full[4], empty[4];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 4; i++) {
      init(&full[i], 1);
      init(&empty[i], 2);
    }
  __syncthreads();
  int stage = 0;
  if (t == 0) {
    unsigned phase = 1;
    for (int i = 0; i < n; i++) {
      wait(&empty[stage], phase);
      expect(&full[stage], 256);
      bring(s[stage], in + i * 64, 256, &full[stage]);
      if (++stage == 4) {
        stage = 0;
        phase ^= 1;
      }
    }
  } else if (t >= 32) {
    unsigned phase = 0;
    for (int i = 0; i < n; i++) {
      wait(&full[stage], phase);
      out[i * 64 + t - 32] = s[stage][95 - t];
      __syncwarp();
      if (t % 32 == 0)
        arrive(&empty[stage]);
      if (++stage == 4) {
        stage = 0;
        phase ^= 1;
      }
    }
  }
}
