// A kernel that only another kernel launches has the sizes of that launch, of which no more is followed.
// launch: as-launched
__global__ void launched_child(float *p) { p[threadIdx.x] *= 2; }

__global__ void launched_parent(float *p) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    launched_child<<<1, 32>>>(p); // ~ HD0001
}
