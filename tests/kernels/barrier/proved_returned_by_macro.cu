// A macro returns, and a function that is called has returns of its own.
// launch: grid=1 block=64 passes=barrier-divergence
#define GUARD(condition)                                                                           \
  if (!(condition))                                                                                \
  return
__device__ int clamped(int value) {
  if (value < 0)
    return 0;
  if (value > 63)
    return 63;
  return value;
}
__global__ void k(int *out, int n) {
  GUARD(threadIdx.x < clamped(n));
  __syncthreads();  // ~ HD0203
  out[threadIdx.x] = clamped(n - 2);
}
