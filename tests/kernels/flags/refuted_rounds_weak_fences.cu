// The same with fences that are not sequentially consistent: a barrier stands between each and the flag.
// launch: grid=4 block=64 passes=races
__global__ void k(float *part, int *ready, float *sum) {
  int t = threadIdx.x, b = blockIdx.x;
  if (b < gridDim.x - 1) {
    part[b * 64 + t] = t + b; // ~ HD0102
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    __syncthreads();
    if (t == 0)
      atomicExch(&ready[b], 1);
  } else {
    float all = 0;
    for (int i = 0; i < gridDim.x - 1; ++i) {
      if (t == 0)
        while (atomicAdd(&ready[i], 0) == 0) {
        }
      __syncthreads();
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      all += part[i * 64 + t];
    }
    sum[t] = all;
  }
}
