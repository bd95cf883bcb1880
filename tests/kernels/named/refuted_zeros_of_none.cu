// A copy reads its source while others write it.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define copy(to, from, bytes)                                                                                          \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at(to)), "l"(from), "r"(bytes) : "memory")
#define wait_for_copies() asm volatile("cp.async.wait_all;" ::: "memory")
#define copies_arrive(b) asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(b)) : "memory")
__device__ void wait(long long *b, int phase) {
  unsigned over = 0;
  while (!over)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(over) : "r"(at(b)), "r"(phase) : "memory");
}
__global__ void k(int *out, int *data) {
  __shared__ int s[64];
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0) init(&b, 64);
  __syncthreads();
  copy(&s[t], &data[t], 4);
  data[t ^ 32] = t; // ~ HD0101
  copies_arrive(&b);
  wait(&b, 0);
  out[t] = s[63 - t];
}
