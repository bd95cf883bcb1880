// A thread that finds its value leaves the barrier loop before the others do.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int n) {
  int t = threadIdx.x, found = -1;
  for (int i = 0; i < n; i++) {
    if (in[i * 64 + t] == 0) {
      found = i;
      break;
    }
    __syncthreads();   // ~ HD0201
  }
  out[t] = found;
}
