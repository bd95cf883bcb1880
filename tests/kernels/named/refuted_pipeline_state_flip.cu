// The consumers forget to turn the parity when they come round.
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
#define elect(one)                                                                                                     \
  asm volatile("{ .reg .pred P; elect.sync _|P, 0xffffffff; selp.b32 %0, 1, 0, P; }" : "=r"(one))

__global__ void k(int *out, const int *in) {
  __shared__ alignas(128) int s[3][64];
  __shared__ long long full[3], empty[3];
  int t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < 3; i++) {
      init(&full[i], 1);
      init(&empty[i], 2);
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  int stage = 0, leader;
  if (t / 32 == 0) {
    unsigned phase = 1;
    elect(leader);
    if (leader)
      for (int i = 0; i < 8; i++) {
        wait(&empty[stage], phase); // ~ HD0206
        expect(&full[stage], 256);  // ~ HD0204
        bring(s[stage], in + i * 64, 256, &full[stage]);  // ~ HD0204
        if (++stage == 3) {
          stage = 0;
          phase ^= 1;
        }
      }
  } else {
    unsigned phase = 0;
    for (int i = 0; i < 8; i++) {
      wait(&full[stage], phase); // ~ HD0206
      out[i * 64 + t - 32] = s[stage][95 - t];
      __syncwarp();
      if (t % 32 == 0)
        arrive(&empty[stage]); // ~ HD0204
      if (++stage == 3) {
        stage = 0;
      }
    }
  }
}
