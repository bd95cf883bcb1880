// Each round reads the same word anew; the threads of a block that come out of it write to one place.
// launch: grid=2 block=64 passes=barrier-divergence,intra-warp-race,intra-block-race,inter-block-race
__global__ void k(int *out, const unsigned *in) {
  unsigned word;
  asm volatile("{ .reg .pred p;\n"
               "wait: ld.volatile.global.u32 %0, [%1]; setp.eq.u32 p, %0, 0; @p bra wait; }"
               : "=r"(word) : "l"(in) : "memory");
  out[blockIdx.x] = threadIdx.x;           // ~ HD0101
}
