// In each round the wait is for the token of that round, which is kept for the next.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)) : "memory")
#define arrive_for(token, b)                                                                                          \
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at(b)) : "memory")
#define wait_by(token, b)                                                                                              \
  for (unsigned done = 0; !done;)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"                \
               : "=r"(done) : "r"(at(b)), "l"(token) : "memory")

__global__ void k(int *out) {
  __shared__ int s[4][64];
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0)
    init(&b, 64);
  __syncthreads();
  long long last, token;
  arrive_for(last, &b);
  wait_by(last, &b);
  for (int i = 0; i < 4; i++) {
    s[i][t] = i + t;
    arrive_for(token, &b);
    wait_by(token, &b);
    last = token;
    out[i * 64 + t] = s[i][63 - t];
  }
}
