// The loop runs at least once.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int m = 0;
  do {
    s[t] = m;
    __syncthreads();
  } while (++m < n);
  out[t] = s[63 - t];
}
