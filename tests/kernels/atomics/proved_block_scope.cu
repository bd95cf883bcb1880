// Block-scope atomics are enough for counters that belong to one block.
// launch: grid=any block=64
__global__ void k(const int *in, int *count) {
  if (in[threadIdx.x] > 0)
    atomicAdd_block(&count[blockIdx.x], 1);
}
