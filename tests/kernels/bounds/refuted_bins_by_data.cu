// Bins are chosen by data that nothing limits.
// launch: grid=1 block=64 check-bounds
__global__ void k(int *out, const int *in) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x]], 1); // ~ HD0301
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}
