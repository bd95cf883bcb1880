// Registers that the system sets before the launch hold one number for all threads.
// launch: grid=2 block=32
__global__ void k(int *p) {
  unsigned word, reserved;
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(word));
  asm volatile("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(reserved));
  if (word == reserved) __syncthreads();
  p[blockIdx.x * blockDim.x + threadIdx.x] = reserved;
}
