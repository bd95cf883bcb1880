// A barrier object ends its life and begins another.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define end(b) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at(b)) : "memory")
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
  if (t == 0) init(&b, 64);
  __syncthreads();
  arrive(&b);
  wait(&b, 0);
  __syncthreads();
  if (t == 0) {
    end(&b);
    init(&b, 64);
  }
  __syncthreads();
  s[t] = t;
  arrive(&b);
  wait(&b, 0);
  out[t] = s[63 - t];
}
