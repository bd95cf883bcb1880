// A thread that leaves the loop early stores at its own place before it returns.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    __syncthreads(); // ~ HD0203
    s[t] = i;
    if (t == 40) {
      s[t] = 9;
      return;
    }
  }
  out[t] = s[t];
}
