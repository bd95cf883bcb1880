// Blocks draw tiles from a counter in rounds, and the first thread tells the others through shared memory.
// launch: grid=8 block=128
__global__ void k(const float *in, float *out, unsigned *drawn, unsigned tiles) {
  __shared__ unsigned next;
  __shared__ float row[128];
  for (;;) {
    if (threadIdx.x == 0)
      next = atomicAdd(drawn, 1);
    __syncthreads();
    unsigned tile = next;
    __syncthreads();
    if (tile >= tiles)
      break;
    row[threadIdx.x] = in[(size_t)tile * 128 + threadIdx.x];
    __syncthreads();
    out[(size_t)tile * 128 + threadIdx.x] = row[127 - threadIdx.x];
  }
}
