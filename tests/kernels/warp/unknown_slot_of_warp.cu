// The number of a warp's slot may change while it runs, so two reads of it need not agree.
// launch: grid=1 block=64
__global__ void k(int *out) {
  unsigned one, two;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(one));
  __syncthreads();
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(two));
  if (one != two)
    out[0] = threadIdx.x;  // ~ HD0002
}
