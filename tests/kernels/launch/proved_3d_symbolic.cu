// A three-dimensional grid fills a volume of symbolic sizes.
// launch: grid=any,any,any block=8,8,4 assume="gridDim.x <= 65535"
__global__ void k(float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 4 + threadIdx.z;
  if (x < nx && y < ny && z < nz)
    out[(z * ny + y) * nx + x] = 1;
}
