// The left operand of a logical and holds a barrier that all threads meet.
// launch: grid=1 block=64
__device__ bool ready(const int *flag) {
  __syncthreads();
  return flag[0] != 0;
}
__global__ void k(const int *flag, int *out) {
  if (ready(flag) && threadIdx.x > 5)
    out[threadIdx.x] = 1;
  out[threadIdx.x + 64] = 2;
}
