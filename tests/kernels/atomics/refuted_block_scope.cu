// Block-scope atomics of two blocks on the same counter are not atomic towards each other.
// launch: grid=4 block=64
__global__ void k(const int *in, int *count) {
  if (in[threadIdx.x] > 0)
    atomicAdd_block(&count[0], 1);   // ~ HD0102
}
