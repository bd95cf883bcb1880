// All threads drop out of a barrier object, and wait for the phase that they complete by that.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void k(int *out) {
  __shared__ int s[64];
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at(&b)) : "memory");
  __syncthreads();
  s[t] = t;
  long long token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(at(&b)) : "memory");
  for (unsigned done = 0; !done;)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at(&b)), "l"(token) : "memory");
  out[t] = s[63 - t];
}
