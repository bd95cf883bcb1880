// Coordinates without a sign are compared with sizes that have one.
// launch: grid=any,any block=16,16
__global__ void k(float *out, int w, int h) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] += 1;
}
