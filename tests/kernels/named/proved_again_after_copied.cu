// A barrier object is initialised again once its copy has been waited for.
// launch: grid=1 block=64 passes=named-barriers,intra-block-race
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
  __shared__ alignas(128) int s[2][64];
  __shared__ long long b[2];
  int t = threadIdx.x;
  if (t == 0) init(&b[0], 1);
  __syncthreads();
  if (t == 0) {
    expect(&b[0], 256);
    bring(s[0], in, 256, &b[0]);
    wait(&b[0], 0);
  }
  __syncthreads();
  if (t == 0) init(&b[0], 1);
  __syncthreads();
  if (t == 0) {
    expect(&b[0], 256);
    bring(s[1], in, 256, &b[0]);
  }
  wait(&b[0], 0);
  out[t] = s[1][t % 64];
}
