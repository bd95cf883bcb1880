// Copies start before the stage is free.
// launch: grid=1 block=96
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define try_wait(done, b, parity)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"              \
               : "=r"(done) : "r"(at(b)), "r"(parity) : "memory")
#define wait(b, parity) for (unsigned done = 0; !done;) try_wait(done, b, parity)
#define expect(b, n) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define bring(to, from, n, b)                                                                                          \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"              \
               ::"r"(at(to)), "l"(from), "r"(n), "r"(at(b)) : "memory")

__global__ void k(int *out, const int *in) {
  __shared__ int s[2][64];
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
      expect(&full[i & 1], 256);  // ~ HD0204
      bring(s[i & 1], in + i * 64, 256, &full[i & 1]);  // ~ HD0204
    }
  } else if (t < 64) {
    for (int i = 0; i < 6; i++) {
      wait(&full[i & 1], i >> 1 & 1);   // ~ HD0206
      out[i * 64 + t] = s[i & 1][63 - t];
      arrive(&empty[i & 1]);   // ~ HD0204
    }
  }
}
