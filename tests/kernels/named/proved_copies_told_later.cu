// Copies that are over when a second object is told of them: who waits for that one may read both tiles.
// launch: grid=1 block=64
#include <cuda/barrier>
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define copy4(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(to)), "l"(from) : "memory")
#define copies_arrive(b) asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(b)) : "memory")
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

__global__ void k(int *out, const int *in, int n) {
  __shared__ int s[2][32];
  __shared__ long long first, second, empty;
  int t = threadIdx.x;
  if (t == 0) {
    init(&first, 32);
    init(&second, 32);
    init(&empty, 32);
  }
  __syncthreads();
  for (int i = 0; i < n; i++) {
    if (t < 32) {
      wait(&empty, (i & 1) ^ 1);
      copy4(&s[0][t], in + t);
      copies_arrive(&first);
      wait(&first, i & 1);
      copy4(&s[1][t], in + i * 32 + t);
      copies_arrive(&second);
    } else {
      wait(&second, i & 1);
      out[i * 32 + t] = s[0][63 - t] + s[1][t - 32];
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&empty)));
    }
  }
}
