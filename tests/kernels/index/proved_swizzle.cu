// The columns of a tile are swizzled by the row with an exclusive or, once for the write and once for the read.
// launch: grid=1 block=32,32
__global__ void k(const int *in, int *out) {
  __shared__ int s[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x ^ y] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = s[x][x ^ y];
}
