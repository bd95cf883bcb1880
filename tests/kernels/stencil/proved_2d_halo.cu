// A two-dimensional stencil loads an 18 by 18 tile with a block-stride loop over the flat tile.
// launch: grid=4,4 block=16,16
__global__ void k(const int *in, int *out) {
  __shared__ int s[18][18];
  int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int i = ty * 16 + tx; i < 18 * 18; i += 256)
    s[i / 18][i % 18] = in[(y0 + i / 18) * 66 + x0 + i % 18];
  __syncthreads();
  int v = s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2];
  out[(y0 + ty) * 64 + x0 + tx] = v / 4;
}
