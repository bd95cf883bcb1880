// The first thread has no fence after the flag.
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
    }
    __syncthreads();
    out[i] = data[i - blockDim.x];
  }
}
