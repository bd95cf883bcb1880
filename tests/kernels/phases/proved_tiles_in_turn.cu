// Two warps take turns with tiles, and each leaves out the stages of the other.
// launch: grid=1 block=96 n=4 tiles=5
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
  __shared__ alignas(128) int s[3][64];
  __shared__ long long full[3], empty[3];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 3; i++) {
      init(&full[i], 1);
      init(&empty[i], 32);
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
          if (++stage == 3) {
            stage = 0;
            phase ^= 1;
          }
        }
  } else {
    unsigned phase = 0;
    int turn = 0, own = t / 32 - 1;
    if (own == 1)
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, turn ^= 1) {
      int sum = 0;
      if (turn != own) {
        int j = stage + n;
        phase ^= j / 3 & 1;
        stage = j % 3;
        continue;
      }
      asm volatile("bar.sync %0, 64;" ::"r"(1 + own) : "memory");
      for (int i = 0; i < n; i++) {
        wait(&full[stage], phase);
        sum += s[stage][63 - t % 64];
        arrive(&empty[stage]);
        if (++stage == 3) {
          stage = 0;
          phase ^= 1;
        }
      }
      if (tile + gridDim.x < tiles)
        asm volatile("bar.arrive %0, 64;" ::"r"(2 - own) : "memory");
      out[tile * blockDim.x + t] = sum;
    }
  }
}
