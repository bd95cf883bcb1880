// One of the grids that the host launches has 2^32 threads, more than are assumed where it does not say so.
// launch: as-launched
__global__ void first(int *out, int blocks) {
  if (blocks == 4194304)
    out[0] = threadIdx.x; // ~ HD0101
}

void run(int *out, int blocks) {
  if (blocks == 4194304 || blocks == 5)
    first<<<blocks, 1024>>>(out, blocks);
}
