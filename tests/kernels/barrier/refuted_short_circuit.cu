// The right operand of a logical and holds a barrier that some threads skip.
// launch: grid=1 block=64
__device__ bool ready(const int *flag) {
  __syncthreads();   // ~ HD0201
  return flag[0] != 0;
}
__global__ void k(const int *flag, int *out) {
  if (threadIdx.x > 5 && ready(flag))
    out[threadIdx.x] = 1;
  out[threadIdx.x + 64] = 2;
}
