// Each thread arrives by itself: its copy may still be under way.
// launch: grid=any block=64
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

#define copy(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(to)), "l"(from) : "memory")
#define tell(b) asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(b)) : "memory")
__global__ void k(int *out, const int *in, int n) {
  __shared__ int s[2][1024];
  __shared__ long long full[2];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 2; i++)
      init(&full[i], blockDim.x);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    copy(&s[i % 2][t], in + i * 1024 + t); // ~ HD0101 HD0105 HD0002
    arrive(&full[i % 2]);
    wait(&full[i % 2], i / 2 & 1);
    out[(blockIdx.x * n + i) * 1024 + t] = s[i % 2][blockDim.x - 1 - t];
    __syncthreads();
  }
}
