// The bulk copy fills the tile and the barrier object behind it.
// launch: grid=1 block=32
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)) : "memory")
#define wait(b, phase)                                                                                                 \
  for (unsigned done = 0; !done;)                                                                                      \
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"         \
               : "=r"(done) : "r"(at(b)), "r"(phase) : "memory")

struct Stage {
  int tile[32];
  long long full, spare;
};

__global__ void k(int *out, const int *in) {
  __shared__ alignas(128) Stage s;
  int t = threadIdx.x;
  if (t == 0) {
    init(&s.full, 1);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&s.full)), "r"(144) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s.tile)), "l"(in), "r"(144), "r"(at(&s.full)) : "memory"); // ~ HD0105 HD0001
  }
  __syncthreads();
  wait(&s.full, 0);  // ~ HD0001
  out[t] = s.tile[31 - t];  // ~ HD0002
}
