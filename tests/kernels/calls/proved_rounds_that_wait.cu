// Each round reads the same word anew, and only the last one's word is used.
// launch: grid=2 block=64 passes=barrier-divergence,intra-warp-race,intra-block-race,inter-block-race
__global__ void k(int *out, const unsigned *in) {
  unsigned word;
  asm volatile("{ .reg .pred p;\n"
               "wait: ld.volatile.global.u32 %0, [%1]; setp.eq.u32 p, %0, 0; @p bra wait; }"
               : "=r"(word) : "l"(in) : "memory");
  out[blockIdx.x * 64 + threadIdx.x] = word;
}
