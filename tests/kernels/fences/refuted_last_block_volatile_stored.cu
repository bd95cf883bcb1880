// The last block stores as volatile what it then reads plainly: its own store observes nothing of the other's.
// launch: grid=2 block=1
__global__ void k(int *count, int *sum, int *out) {
  if (blockIdx.x == 0) {
    *(volatile int *)sum = 1;   // ~ HD0102
    __threadfence();
    atomicAdd(count, 1);
  } else if (atomicAdd(count, 1) == 1) {
    *(volatile int *)sum = 3;
    out[0] = *sum;
  }
}
