// Each block reads a number of its own, and two blocks may both find their own there.
// launch: grid=4 block=64
__global__ void k(int *out, const int *chosen) {
  if (chosen[blockIdx.x] == blockIdx.x)
    out[threadIdx.x] = blockIdx.x; // ~ HD0102
}
