// A thread of the other warp clears the barrier object while it is in use.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define wait(b, phase)                                                                                                 \
  for (unsigned done = 0; !done;)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"         \
               : "=r"(done) : "r"(at(b)), "r"(phase) : "memory")

__global__ void k(int *out) {
  __shared__ int s[64];
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0)
    init(&b, 32);
  __syncthreads();
  if (t < 32) {
    s[t] = t;  // ~ HD0002
    arrive(&b);
    wait(&b, 0);  // ~ HD0001
    out[t] = s[31 - t];
  } else if (t == 40) {
    b = 0; // ~ HD0101 HD0002
  }
}
