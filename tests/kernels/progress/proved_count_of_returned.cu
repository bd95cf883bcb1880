// Waits until all threads count that have not returned.
// launch: grid=1 block=64
__global__ void k(int *flag) {
  int i = threadIdx.x;
  if (i >= 48) return;
  if (i == 0) atomicExch(flag, 1);
  int left;
  do {
    int ready = i == 0 ? atomicAdd(flag, 0) : 1;
    left = 48 - __syncthreads_count(ready);  // ~ HD0203
  } while (left > 0);
}
