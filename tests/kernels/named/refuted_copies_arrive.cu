// The threads arrive themselves, while their copies are still under way.
// launch: grid=1 block=64
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
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)))
#define copy4(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(to)), "l"(from) : "memory")

__global__ void k(int *out, const int *in) {
  __shared__ int s[3][64];
  __shared__ long long full[3], empty[3];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 3; i++) {
      init(&full[i], 32);
      init(&empty[i], 32);
    }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < 6; i++) {
      wait(&empty[i % 3], (i / 3 & 1) ^ 1);
      copy4(&s[i % 3][t], in + i * 64 + t); // ~ HD0105
      copy4(&s[i % 3][t + 32], in + i * 64 + t + 32); // ~ HD0105 HD0101
      arrive(&full[i % 3]);
    }
  } else {
    for (int i = 0; i < 6; i++) {
      wait(&full[i % 3], i / 3 & 1);
      out[i * 64 + t] = s[i % 3][95 - t] + s[i % 3][t];
      arrive(&empty[i % 3]);
    }
  }
}
