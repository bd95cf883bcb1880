// Each thread has a flag of its own.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;
  __threadfence();
  flag[i] = 1;
  if (blockIdx.x > 0 && flag[i - blockDim.x]) {
    __threadfence();
    out[i] = data[i - blockDim.x];
  }
}
