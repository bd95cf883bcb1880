// A thread that leaves the loop early stores before it returns, while others are between barriers.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    __syncthreads(); // ~ HD0203
    s[t] = i;        // ~ HD0101
    if (t == 40) {
      s[3] = 9; // ~ HD0101
      return;
    }
  }
  out[t] = s[t];
}
