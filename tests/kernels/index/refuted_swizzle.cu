// A swizzle of the flat index by the row shifted too far leaves the row and meets another.
// launch: grid=1 block=32,32
__global__ void k(const int *in, int *out) {
  __shared__ int s[2048];
  int x = threadIdx.x, y = threadIdx.y;
  s[(y * 32 + x) | (y << 1)] = in[y * 32 + x];   // ~ HD0101
  __syncthreads();
  out[y * 32 + x] = s[y * 32 + x];
}
