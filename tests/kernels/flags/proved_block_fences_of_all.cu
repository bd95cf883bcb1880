// Every thread has its fences, and the first one sets and polls the flag between barriers: both fences are sequentially consistent.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x, t = threadIdx.x, i = b * blockDim.x + t;
  data[i] = t;
  __threadfence();
  __syncthreads();
  if (t == 0) {
    flag[b] = 1;
  }
  if (b > 0) {
    if (t == 0) {
      while (flag[b - 1] == 0) {
      }
    }
    __syncthreads();
    __threadfence();
    out[i] = data[i - blockDim.x];
  }
}
