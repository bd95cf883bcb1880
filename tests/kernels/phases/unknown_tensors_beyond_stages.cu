// Copies of tensors that are expected to bring more bytes than fit into their stages.
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
#define bring(to, map, x, b)                                                                                           \
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"  \
               ::"r"(at(to)), "l"(map), "r"(at(b)), "r"(x) : "memory")
#define elect(one) asm volatile("{ .reg .pred P; elect.sync _|P, 0xffffffff; selp.b32 %0, 1, 0, P; }" : "=r"(one))

__global__ void k(int *out, const int *in, int n) {
  __shared__ alignas(128) int a[3][64], b[3][128];
  __shared__ long long full[3], empty[3];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 3; i++) {
      init(&full[i], 1);
      init(&empty[i], 128);
    }
  __syncthreads();
  int stage = 0, one;
  if (t / 32 == 4) {
    unsigned phase = 1;
    elect(one);
    if (one)
      for (int i = 0; i < n; i++) {
        wait(&empty[stage], phase);
        expect(&full[stage], 1024);
        bring(a[stage], in, i, &full[stage]);  // ~ HD0001
        bring(b[stage], in, i, &full[stage]);  // ~ HD0001
        if (++stage == 3) {
          stage = 0;
          phase ^= 1;
        }
      }
  } else if (t < 128) {
    unsigned phase = 0;
    for (int i = 0; i < n; i++) {
      wait(&full[stage], phase);
      out[(blockIdx.x * n + i) * blockDim.x + t] = a[stage][63 - t % 64] + b[stage][t];
      arrive(&empty[stage]);
      if (++stage == 3) {
        stage = 0;
        phase ^= 1;
      }
    }
  }
}
