// A thread that finds its value remembers it and stays in the barrier loop.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int n) {
  int t = threadIdx.x, found = -1;
  for (int i = 0; i < n; i++) {
    if (found < 0 && in[i * 64 + t] == 0)
      found = i;
    __syncthreads();
  }
  out[t] = found;
}
