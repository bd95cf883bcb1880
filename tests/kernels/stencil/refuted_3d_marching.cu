// A plane-marching stencil overwrites its tile with the next plane while neighbours still read this one.
// launch: grid=2,2 block=16,8
__global__ void k(const float *in, float *out, int nz) {
  __shared__ float s[8][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 8 + ty;
  for (int z = 0; z < nz; z++) {
    s[ty][tx] = in[(z * 16 + y) * 32 + x];   // ~ HD0101
    __syncthreads();
    float above = ty > 0 ? s[ty - 1][tx] : 0;
    out[(z * 16 + y) * 32 + x] = above + s[ty][tx];
  }
}
