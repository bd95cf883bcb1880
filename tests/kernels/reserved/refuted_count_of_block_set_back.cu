// The count is set back before it is read.
// launch: grid=any block=128
__global__ void append(const int *__restrict__ in, int *out, int *tail, int n) {
  __shared__ int count, base;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, rank = -1;
  if (i < n && in[i] > 0)
    rank = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (threadIdx.x == 0)
    base = atomicAdd(tail, count);
  __syncthreads();
  if (rank >= 0)
    out[base + rank] = i;   // ~ HD0102 HD0002
}
