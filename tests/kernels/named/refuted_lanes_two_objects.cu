// Two lanes each bring half of a tile to a barrier of their own, and one of them is waited for.
// launch: grid=1 block=32
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)) : "memory")
#define wait(b, phase)                                                                                                 \
  for (unsigned done = 0; !done;)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"         \
               : "=r"(done) : "r"(at(b)), "r"(phase) : "memory")

__global__ void k(int *out, const int *in) {
  __shared__ alignas(128) int s[64];
  __shared__ long long full[2];
  int t = threadIdx.x;
  if (t < 2) {
    init(&full[t], 1);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full[t])), "r"(128) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s + 32 * t)), "l"(in + 32 * t), "r"(128), "r"(at(&full[t])) : "memory"); // ~ HD0101
  }
  __syncthreads();
  wait(&full[0], 0);
  out[t] = s[t] + s[32 + t];
}
