// All threads add, and all wait for all threads.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *count, int *out) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  data[i] = t;
  if (true) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < gridDim.x * blockDim.x) {
    }
    __threadfence();
  }
  out[i] = data[(gridDim.x - 1 - blockIdx.x) * blockDim.x + t];
}
