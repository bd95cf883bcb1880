// The distance of two arrays is read from memory and added to the address of the first.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int a[64], b[64];
  __shared__ size_t distance;
  int t = threadIdx.x;
  if (t == 0)
    distance = (size_t)b - (size_t)a;
  __syncthreads();
  ((int *)((size_t)a + distance))[t] = t; // ~ HD0002
  out[t] = b[63 - t];
}
