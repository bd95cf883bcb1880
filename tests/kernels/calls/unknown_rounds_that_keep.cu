// A register is written where a guard holds, and keeps what an earlier round wrote where it does not.
// launch: grid=1 block=64
__global__ void k(int *out, const unsigned *in) {
  __shared__ int s;
  unsigned kept = 0;
  asm volatile("{ .reg .pred p, q; .reg .u32 v;\n"  // ~ HD0001
               "more: ld.volatile.global.u32 v, [%1]; setp.eq.u32 q, v, 7; @q mov.u32 %0, 1;\n"
               "setp.ne.u32 p, v, 0; @p bra more; }" : "+r"(kept) : "l"(in) : "memory");
  if (kept) s = threadIdx.x;               // ~ HD0002
  out[threadIdx.x] = kept;
}
