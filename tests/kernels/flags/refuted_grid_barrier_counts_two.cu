// Each block adds two.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *count, int *out) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  data[i] = t; // ~ HD0102
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicAdd(count, 2);
    while (*(volatile unsigned *)count < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = data[(gridDim.x - 1 - blockIdx.x) * blockDim.x + t];
}
