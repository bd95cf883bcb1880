// A kernel launches another one with as many blocks as it is told.
// launch: as-launched
__global__ void launched_child(float *p) { p[threadIdx.x] *= 2; } // ~ HD0102

__global__ void launched_parent(float *p, int blocks) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    launched_child<<<blocks, 32>>>(p); // ~ HD0001
}
