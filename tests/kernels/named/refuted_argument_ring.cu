// A ring whose stages are given back before they are read: from the fourth tile on.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define try_wait(done, b, parity)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"              \
               : "=r"(done) : "r"(at(b)), "r"(parity) : "memory")
#define wait(b, parity) for (unsigned done = 0; !done;) try_wait(done, b, parity)

__global__ void k(int *out, int n) {
  __shared__ int s[3][32];
  __shared__ long long full[3], empty[3];
  int t = threadIdx.x, lane = t % 32;
  if (t == 0)
    for (int i = 0; i < 3; i++) {
      init(&full[i], 32);
      init(&empty[i], 32);
    }
  __syncthreads();
  for (int i = 0; i < n; i++) {
    int b = i % 3, phase = i / 3 & 1;
    if (t < 32) {
      wait(&empty[b], phase ^ 1);
      s[b][lane] = i; // ~ HD0101
      arrive(&full[b]);
    } else {
      wait(&full[b], phase);
      arrive(&empty[b]);
      out[i * 32 + lane] = s[b][31 - lane];
    }
  }
}
