// All threads write, a barrier, the first thread releases; the first thread of the next block acquires, a barrier, all read.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x, t = threadIdx.x, i = b * blockDim.x + t;
  data[i] = t;
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
    __syncthreads();
    out[i] = data[i - blockDim.x];
  }
}
