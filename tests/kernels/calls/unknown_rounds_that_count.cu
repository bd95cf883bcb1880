// An assembly goes round four times; what its last round is, one round alone does not tell.
// launch: grid=2 block=64
__global__ void k(int *out) {
  __shared__ int s;
  unsigned sum;
  asm("{ .reg .pred p; .reg .u32 i; mov.u32 i, 4; mov.u32 %0, 0;\n"  // ~ HD0001
      "again: add.u32 %0, %0, i; sub.u32 i, i, 1; setp.ne.u32 p, i, 0; @p bra again; }" : "=r"(sum));
  s = threadIdx.x;                         // ~ HD0002
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
