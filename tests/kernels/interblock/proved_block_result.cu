// All blocks add their result to one cell atomically.
// launch: grid=any block=64
__global__ void k(const int *in, int *out) {
  if (threadIdx.x == 0)
    atomicAdd(out, in[blockIdx.x]);
}
