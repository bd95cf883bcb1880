// The size of a matrix is a product that is no number of 32 bits for some launches.
// launch: grid=any,any block=16,16 "size=out=w * h" passes=bounds
__global__ void k(int *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h)
    out[(size_t)y * w + x] = x;
}
