// All threads raise the same maximum atomically, and one thread reads it in a later launch only.
// launch: grid=any block=any
__global__ void k(const int *in, int *maximum) {
  atomicMax(maximum, in[(size_t)blockIdx.x * blockDim.x + threadIdx.x]);
}
