// A barrier object is used while it may not be initialised.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define try_wait(done, b, parity)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"              \
               : "=r"(done) : "r"(at(b)), "r"(parity) : "memory")
#define wait(b, parity) for (unsigned done = 0; !done;) try_wait(done, b, parity)

__global__ void k(int *out) {
  __shared__ int s[64];
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0)
    init(&b, 64);   // ~ HD0206
  s[t] = t;
  arrive(&b);
  wait(&b, 0);
  out[t] = s[63 - t];
}
