// The first thread may leave after some rounds, and the others go on with the tile of its last one.
// launch: grid=8 block=128
__global__ void k(const float *in, float *out, unsigned *drawn, const int *leaves, int tiles) {
  __shared__ unsigned next;
  __shared__ float row[128];
  for (int i = 0; i < tiles; i++) {
    if (threadIdx.x == 0) {
      if (leaves[i])
        return;
      next = atomicAdd(drawn, 1);
    }
    __syncthreads();   // ~ HD0203
    size_t tile = next;
    __syncthreads();   // ~ HD0203
    row[threadIdx.x] = in[tile * 128 + threadIdx.x] + i;
    __syncthreads();   // ~ HD0203
    out[tile * 128 + threadIdx.x] = row[127 - threadIdx.x];   // ~ HD0002
  }
}
