// How many bytes a tensor copy brings is in its map, which only the host knows.
// launch: grid=1 block=32
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(n), "r"(at(b)))
#define wait(b, phase)                                                                                                 \
  asm volatile("{\n"                                                                                                   \
               ".reg .pred P1;\n"                                                                                      \
               "LAB_WAIT:\n"                                                                                           \
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"                                              \
               "@P1 bra DONE;\n"                                                                                       \
               "bra LAB_WAIT;\n"                                                                                       \
               "DONE:\n"                                                                                               \
               "}" ::"r"(at(b)), "r"(phase))
#define expect(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%1], %0;" ::"r"(n), "r"(at(b)))

__global__ void k(int *out, const void *map) {
  __shared__ alignas(128) int s[64];
  __shared__ long long full;
  int t = threadIdx.x;
  if (t == 0)
    init(&full, 1);
  __syncthreads();
  if (t == 0) {
    expect(&full, 256);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(at(s)), "l"(map), "r"(at(&full)), "r"(0), "r"(0) : "memory"); // ~ HD0001
  }
  wait(&full, 0);
  out[t] = s[t];
}
