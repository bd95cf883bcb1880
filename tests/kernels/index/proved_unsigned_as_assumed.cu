// Conditions read a parameter without a sign as the number it is: nothing is said of signs.
// launch: grid=any,any block=any,any assume="n >= 1 && pitch >= n && pitch % 4 == 0"
__global__ void rows(float *a, unsigned n, unsigned pitch) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n) a[y * pitch + x] = 1.0f + x + y;
}
