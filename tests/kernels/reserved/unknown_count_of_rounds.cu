// The count goes on from round to round, and what is reserved is what it has come to.
// launch: grid=any block=128
__global__ void append(const int *__restrict__ in, int *out, int *tail) {
  __shared__ int count, base;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  for (int round = 0; round < 4; round++) {
    int rank = -1;
    if (in[round * 128 + threadIdx.x] > 0)
      rank = atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0)
      base = atomicAdd(tail, count);
    __syncthreads();
    if (rank >= 0)
      out[base + rank] = round;   // ~ HD0002
    __syncthreads();
  }
}
