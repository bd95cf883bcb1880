// The last arrival has promised not to complete the phase, and does.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__device__ void wait(long long *b, int phase) {
  unsigned over = 0;
  while (!over)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(over) : "r"(at(b)), "r"(phase) : "memory");
}
__global__ void k(int *out) {
  __shared__ long long b;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(at(&b)) : "memory");
  __syncthreads();
  s[t] = t; // ~ HD0002
  long long token;
  asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], 1;" // ~ HD0001
               : "=l"(token) : "r"(at(&b)) : "memory");
  wait(&b, 0);
  out[t] = s[63 - t];
}
