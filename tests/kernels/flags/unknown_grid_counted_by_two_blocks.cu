// All threads add and wait, but for no more than those of two blocks.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *count, int *out) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  data[i] = t; // ~ HD0002
  __threadfence();
  atomicAdd(count, 1);
  while (*(volatile unsigned *)count < 2 * blockDim.x) {}
  __threadfence();
  out[i] = data[(gridDim.x - 1 - blockIdx.x) * blockDim.x + t];
}
