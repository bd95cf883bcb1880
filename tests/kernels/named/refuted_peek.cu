// A consumer asks once and waits if it has to, and gives the stage back too early.
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
#define try_wait(done, b, phase)                                                                                       \
  asm volatile("{ .reg .pred P1; mbarrier.try_wait.parity.shared::cta.b64 P1, [%1], %2; selp.b32 %0, 1, 0, P1; }"     \
               : "=r"(done) : "r"(at(b)), "r"(phase) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)))
#define expect(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%1], %0;" ::"r"(n), "r"(at(b)))
#define bring(to, from, n, b)                                                                                          \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"              \
               ::"r"(at(to)), "l"(from), "r"(n), "r"(at(b)) : "memory")

__global__ void k(int *out, const int *in) {
  __shared__ alignas(128) int s[2][64];
  __shared__ long long full[2], empty[2];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 2; i++) {
      init(&full[i], 1);
      init(&empty[i], 64);
    }
  __syncthreads();
  if (t == 64) {
    for (int i = 0; i < 6; i++) {
      wait(&empty[i & 1], (i >> 1 & 1) ^ 1);
      expect(&full[i & 1], 256);
      bring(s[i & 1], in + i * 64, 256, &full[i & 1]); // ~ HD0101
    }
  } else if (t < 64) {
    for (int i = 0; i < 6; i++) {
      unsigned done;
      try_wait(done, &full[i & 1], i >> 1 & 1);
      if (!done)
        wait(&full[i & 1], i >> 1 & 1);
      arrive(&empty[i & 1]);
      out[i * 64 + t] = s[i & 1][63 - t];
    }
  }
}
