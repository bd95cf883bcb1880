// Threads return out of a scope with a variable, in a kernel that has none outside of it.
// launch: grid=1 block=64
__global__ void k(int *out, int c) {
  if (threadIdx.x < c) {
    int y = threadIdx.x;
    out[y] = 2;
    return;
  }
  __syncthreads();  // ~ HD0203
  out[threadIdx.x] = 1;
}
