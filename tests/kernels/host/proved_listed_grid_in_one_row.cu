// Numbers of 32 bits tell all threads apart of the grids that the host lists.
// launch: as-launched
__global__ void k(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
void run(int *out, int blocks) {
  if (blocks == 2097152 || blocks == 5)
    k<<<blocks, 1024>>>(out);
}
