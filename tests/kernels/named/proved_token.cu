// A token names the phase that is waited for.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)))

__global__ void k(int *out) {
  __shared__ int s[64];
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0)
    init(&b, 64);
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    s[t] = i;
    long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at(&b)) : "memory");
    asm volatile("{ .reg .pred p; W: mbarrier.test_wait.shared.b64 p, [%0], %1; @!p bra W; }" ::"r"(at(&b)), "l"(token) : "memory");
    out[i * 64 + t] = s[63 - t];
    __syncthreads();
  }
}
