// None of the grids that the host launches has as many blocks as the kernel asks for.
// launch: as-launched
__global__ void first(int *out, int blocks) {
  if (blocks == 4194304)
    out[0] = threadIdx.x;
}

void run(int *out, int blocks) {
  if (blocks == 2097151 || blocks == 5)
    first<<<blocks, 1024>>>(out, blocks);
}
