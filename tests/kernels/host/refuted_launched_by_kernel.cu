// A kernel that only another kernel launches, with two blocks that meet.
// launch: as-launched
__global__ void launched_child(float *p) { p[threadIdx.x] *= 2; } // ~ HD0102

__global__ void launched_parent(float *p) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    launched_child<<<2, 32>>>(p); // ~ HD0001
}
