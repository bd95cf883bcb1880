// An address walks from one array to the next by their distance; the last store is to the second.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int a[64], b[64];
  size_t at = (size_t)a, distance = ((size_t)b - (size_t)a) & ~(size_t)3;
  int t = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    __syncthreads();
    ((int *)at)[t] = t; // ~ HD0002
    at += distance;
  }
  out[t] = b[63 - t];
}
