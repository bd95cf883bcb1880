// Each thread zeroes one bin, of twice as many.
// launch: passes=uninitialised-shared block=128 grid=1
__global__ void k(unsigned *out) {
  __shared__ unsigned bins[256];
  int t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[(t * 5) % 256], 1u);   // ~ HD0302
  __syncthreads();
  out[t] = bins[t];
}
