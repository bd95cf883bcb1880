// The barrier of a toolkit's `grid_group::sync`, inlined: a counter whose highest bit flips.
// launch: grid=3 block=64 passes=progress
__global__ void k(unsigned *arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned old, now, add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(arrived), "r"(add) : "memory");
    do {
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");   // ~ HD0501
    } while (((old ^ now) & 0x80000000u) == 0);
  }
  __syncthreads();
}
