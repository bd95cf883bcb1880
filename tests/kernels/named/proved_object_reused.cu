// The bytes of the barrier object hold data before its life and after it.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define wait(b, phase)                                                                                                 \
  for (unsigned done = 0; !done;)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"         \
               : "=r"(done) : "r"(at(b)), "r"(phase) : "memory")

__global__ void k(int *out) {
  extern __shared__ int s[];
  long long *b = (long long *)s;
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  int other = s[63 - t];
  __syncthreads();
  if (t == 0)
    init(b, 64);
  __syncthreads();
  s[64 + t] = other;
  arrive(b);
  wait(b, 0);
  other += s[127 - t];
  __syncthreads();
  s[t] = other;
  __syncthreads();
  out[t] = s[t ^ 1];
}
