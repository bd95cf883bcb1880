// All threads decide by the same loaded value whether to meet the barrier.
// launch: grid=1 block=64
__global__ void k(const int *flag, int *out) {
  if (flag[0])
    __syncthreads();
  out[threadIdx.x] = 1;
}
