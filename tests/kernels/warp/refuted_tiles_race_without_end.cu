// Lanes of a warp read what others store, in rounds that do not end, after tiles met by a mask.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int x[64];
  unsigned mask = 0xffffu << 16 * (threadIdx.x / 16 % 2);
  x[threadIdx.x] = threadIdx.x;
  __syncwarp(mask);
  int value = x[threadIdx.x ^ 1];
  for (int half = 8; half > 0; half /= 1)
    x[threadIdx.x] = value + half;   // ~ HD0104
}
