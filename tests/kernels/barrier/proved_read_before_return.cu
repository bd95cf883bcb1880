// The value is there before the threads part.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z;
  int t = threadIdx.x;
  if (t == 40) z = 5;
  __syncthreads();
  if (t != 1) {
    __syncthreads();                       // ~ HD0203
  } else {
    out[t] = z;
    return;
  }
  out[t] = 0;
}
