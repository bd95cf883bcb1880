// All threads add, and as many as there are blocks are waited for.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *count, int *out) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  data[i] = t; // ~ HD0102
  if (true) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < gridDim.x) {
    }
    __threadfence();
  }
  out[i] = data[(gridDim.x - 1 - blockIdx.x) * blockDim.x + t];
}
