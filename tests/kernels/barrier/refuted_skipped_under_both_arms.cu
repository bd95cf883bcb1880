// Each side of a branch has a barrier, and one of them returns at its end; the other does not.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  int v = out[t];
  if (t < 32) {
    __syncthreads();
    out[t] = v + 1;
  } else {
    int w = v * 2;
    __syncthreads();  // ~ HD0201
    out[t] = w;
    return;
  }
  out[t + 64] = v;
}
