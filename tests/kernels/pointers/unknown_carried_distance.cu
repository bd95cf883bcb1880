// A loop carries the distance of two arrays, which is added to the address of the first.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int a[64], b[64];
  size_t distance = 0;
  int t = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    __syncthreads();
    ((int *)((size_t)a + distance))[t] = t; // ~ HD0002
    distance += (size_t)b - (size_t)a;
  }
  out[t] = b[63 - t];
}
