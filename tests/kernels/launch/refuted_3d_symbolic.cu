// The check of the middle index is missing, so a plane runs into the next one.
// launch: grid=1,4,4 block=8,1,1
__global__ void k(int *out, int nx, int ny, int nz) {
  int x = threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x < nx && z < nz)
    out[(z * ny + y) * nx + x] = z;   // ~ HD0102
}
