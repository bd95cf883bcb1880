// The condition is read at another place by each thread.
// launch: grid=1 block=64
__global__ void k(const int *flag, int *out) {
  if (flag[threadIdx.x]) __syncthreads();   // ~ HD0201
  out[threadIdx.x] = 1;
  __syncthreads();
}
