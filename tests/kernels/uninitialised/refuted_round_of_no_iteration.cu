// A loop that may run not once writes what is read after it.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int m = 0; m < n; ++m) {
    s[t] = m;
    __syncthreads();
  }
  out[t] = s[63 - t];   // ~ HD0302
}
