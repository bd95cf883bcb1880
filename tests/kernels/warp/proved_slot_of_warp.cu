// Whatever the slot of a warp is, each thread writes its own element.
// launch: grid=1 block=64
__global__ void k(int *out) {
  unsigned slot;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
  out[threadIdx.x] = slot;
}
