// The threads read without waiting for the one that has acquired.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x, t = threadIdx.x, i = b * blockDim.x + t;
  data[i] = t;   // ~ HD0102
  __syncthreads();
  if (t == 0) {
    __threadfence();
    flag[b] = 1;
  }
  if (b > 0) {
    if (t == 0) {
      while (flag[b - 1] == 0) {
      }
      __threadfence();
    }
    out[i] = data[i - blockDim.x];
  }
}
