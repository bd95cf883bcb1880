// A draw in each round of a loop whose rounds an argument counts.
// launch: grid=8 block=128
__global__ void k(const float *in, float *out, unsigned *drawn, int tiles) {
  __shared__ unsigned next;
  __shared__ float row[128];
  for (int i = 0; i < tiles; i++) {
    if (threadIdx.x == 0) {
      next = atomicAdd(drawn, 1);
    }
    __syncthreads();
    size_t tile = next;
    __syncthreads();
    row[threadIdx.x] = in[tile * 128 + threadIdx.x] + i;
    __syncthreads();
    out[tile * 128 + threadIdx.x] = row[127 - threadIdx.x];
  }
}
