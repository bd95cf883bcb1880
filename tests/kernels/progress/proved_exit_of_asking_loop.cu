// A block leaves its endless loop once an earlier block has set a flag; the loop asks the size of the grid.
// launch: grid=3 block=32 assume-progress=fair
__global__ void k(int *lock, volatile int *flag) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  atomicExch(lock, 0);
  if (blockIdx.x == 0) *flag = 1;
  if (blockIdx.x == 2) {
    while (gridDim.x > 1) {
      if (*flag) asm volatile("exit;");  // ~ HD0501
    }
  }
}
