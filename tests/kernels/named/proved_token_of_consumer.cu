// The consumers look for the phase of their last arrival.
// launch: grid=1 block=96
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)) : "memory")
#define arrive_for(token, b)                                                                                          \
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at(b)) : "memory")
#define wait_by(token, b)                                                                                              \
  for (unsigned done = 0; !done;)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"                \
               : "=r"(done) : "r"(at(b)), "l"(token) : "memory")

__global__ void k(int *out) {
  __shared__ int s[32];
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0)
    init(&b, 96);
  __syncthreads();
  long long old, mine;
  arrive_for(old, &b);
  wait_by(old, &b);
  if (t < 32)
    s[t] = t;
  arrive_for(mine, &b);
  if (t >= 32) {
    wait_by(mine, &b);
    out[t] = s[t & 31];
  }
}
