// The second result goes to the place of the first result of the next thread.
// launch: grid=any block=256
__global__ void polar(float *x, const float *angle, int n) {
  __shared__ float both[257];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    sincosf(angle[i], &both[threadIdx.x], &both[threadIdx.x + 1]); // ~ HD0101
    x[i] = both[threadIdx.x];
  }
}
