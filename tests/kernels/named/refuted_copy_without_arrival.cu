// Whoever starts the copy writes before it and does not arrive: the copy's end does not order what it wrote.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)) : "memory")
#define wait(b, phase)                                                                                                 \
  for (unsigned done = 0; !done;)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"         \
               : "=r"(done) : "r"(at(b)), "r"(phase) : "memory")

__global__ void k(int *out, const int *in) {
  __shared__ alignas(128) int tile[32];
  __shared__ long long full;
  __shared__ int scale;
  int t = threadIdx.x;
  if (t == 0)
    init(&full, 1);
  __syncthreads();
  if (t == 32)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(128) : "memory");
  if (t == 0) {
    scale = 3; // ~ HD0104
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(tile)), "l"(in), "r"(128), "r"(at(&full)) : "memory");
  }
  wait(&full, 0);
  if (t < 32)
    out[t] = scale * tile[31 - t];
}
