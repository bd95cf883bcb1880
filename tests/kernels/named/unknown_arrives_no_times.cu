// An arrival with the count 0, which the PTX ISA does not allow.
// launch: grid=1 block=64 passes=named-barriers
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__device__ void arrive(long long *b, int times) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(times) : "memory"); // ~ HD0001
}
__device__ void wait(long long *b, int phase) {
  unsigned over = 0;
  while (!over)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(over) : "r"(at(b)), "r"(phase) : "memory");
}
__global__ void k(int *out) {
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(at(&b)) : "memory");
  __syncthreads();
  arrive(&b, 0);
  arrive(&b, 1);
  wait(&b, 0);
  out[t] = t;
}
