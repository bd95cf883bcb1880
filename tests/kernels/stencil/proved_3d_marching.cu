// A three-dimensional stencil marches through the planes and reuses one shared tile between two barriers.
// launch: grid=any,any block=16,8 nx=66 ny=34 nz=10 assume="gridDim.x <= 65535"
__global__ void k(const float *in, float *out, int nx, int ny, int nz) {
  __shared__ float s[10][18];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 8 + ty;
  bool inside = x < nx - 1 && y < ny - 1;
  int plane = nx * ny, at = y * nx + x;
  for (int z = 1; z < nz - 1; z++) {
    if (inside) {
      s[ty][tx] = in[z * plane + at];
      if (tx == 1) s[ty][0] = in[z * plane + at - 1];
      if (tx == 16 || x == nx - 2) s[ty][tx + 1] = in[z * plane + at + 1];
      if (ty == 1) s[0][tx] = in[z * plane + at - nx];
      if (ty == 8 || y == ny - 2) s[ty + 1][tx] = in[z * plane + at + nx];
    }
    __syncthreads();
    if (inside)
      out[z * plane + at] = s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] +
                            in[(z - 1) * plane + at] + in[(z + 1) * plane + at];
    __syncthreads();
  }
}
