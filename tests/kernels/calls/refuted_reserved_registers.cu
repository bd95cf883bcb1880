// A register of the system is read, and then a word that another thread writes.
// launch: grid=1 block=32
__global__ void k(int *p, int *q) {
  unsigned word;
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(word));
  p[threadIdx.x] = word;  // ~ HD0101
  q[threadIdx.x] = p[threadIdx.x ^ 1];
}
