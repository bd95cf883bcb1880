// There are two counts; the room is reserved by the other one.
// launch: grid=any block=128
__global__ void append(const int *__restrict__ in, int *out, int *tail) {
  __shared__ int count[2], base;
  if (threadIdx.x < 2)
    count[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, rank = -1;
  if (in[i] > 0)
    rank = atomicAdd(&count[in[i] & 1], 1);
  __syncthreads();
  if (threadIdx.x == 0)
    base = atomicAdd(tail, count[1]);
  __syncthreads();
  if (rank >= 0 && (in[i] & 1) == 0)
    out[base + rank] = i;   // ~ HD0102
}
