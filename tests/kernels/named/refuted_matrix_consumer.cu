// The consumers give back the other stage.
// launch: grid=1 block=160
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

__global__ void k(int *out, const int *in) {
  __shared__ alignas(128) int s[2][64];
  __shared__ long long full[2], empty[2];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 2; i++) {
      init(&full[i], 1);
      init(&empty[i], 128);
    }
  asm volatile("fence.mbarrier_init.release.cluster;");
  __syncthreads();
  if (t >= 128) {
    int one;
    asm volatile("{ .reg .pred P; elect.sync _|P, 0xffffffff; selp.b32 %0, 1, 0, P; }" : "=r"(one));
    if (one)
      for (int i = 0; i < 6; i++) {
        wait(&empty[i & 1], (i >> 1 & 1) ^ 1); // ~ HD0206
        expect(&full[i & 1], 256);
        bring(s[i & 1], in + i * 64, 256, &full[i & 1]);
      }
  } else {
    int sum = 0;
    for (int i = 0; i < 6; i++) {
      wait(&full[i & 1], i >> 1 & 1);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      sum += s[i & 1][t & 63];
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      arrive(&empty[~i & 1]);
    }
    out[t] = sum;
  }
}
