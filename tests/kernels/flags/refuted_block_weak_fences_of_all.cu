// The same with fences that are not sequentially consistent: a barrier between a fence and the flag makes no pattern.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x, t = threadIdx.x, i = b * blockDim.x + t;
  data[i] = t; // ~ HD0102
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
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
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    out[i] = data[i - blockDim.x];
  }
}
