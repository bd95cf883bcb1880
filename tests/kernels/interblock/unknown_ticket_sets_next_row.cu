// The last block of a row sets the counter of the next row, which nobody shows.
// launch: grid=4,8 block=64 passes=races
__device__ unsigned tickets[65536];
__global__ void k(float *part, float *out) {
  __shared__ bool last;
  int x = blockIdx.x, y = blockIdx.y, columns = gridDim.x, t = threadIdx.x;
  part[(y * columns + x) * 64 + t] = t; // ~ HD0002
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(&tickets[y], 1) == columns - 1;
  __syncthreads();
  if (last) {
    __threadfence();
    float sum = 0;
    for (int i = 0; i < columns; i++) sum += part[(y * columns + i) * 64 + t];
    out[y * 64 + t] = sum; // ~ HD0002
    if (t == 0) atomicExch(&tickets[(y + 1) % 8], 2);
  }
}
