// The guard of the write fails where its sum wraps around.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(int *out, unsigned n) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  if (t + n >= n) s[t] = 1;
  __syncthreads();
  out[t] = s[63 - t];   // ~ HD0302
}
