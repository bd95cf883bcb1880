// What a bulk copy brings is read at places that the data choose, before its phase is over.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void k(const int *in, const int *index, int *out) {
  __shared__ alignas(128) int s[64];
  __shared__ long long full;
  int t = threadIdx.x;
  if (t == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(at(&full)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                 ::"r"(at(s)), "l"(in), "r"(at(&full)) : "memory");
  }
  out[t] = s[index[t] & 63]; // ~ HD0002
  asm volatile("{\n.reg .pred P;\nL:\nmbarrier.try_wait.parity.shared::cta.b64 P, [%0], 0;\n@!P bra L;\n}"
               ::"r"(at(&full)) : "memory");
}
