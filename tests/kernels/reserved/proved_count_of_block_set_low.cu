// The block's counter starts where memory says, below 2^30: no thread sees it wrap around.
// launch: grid=1 block=32 passes=races
__global__ void append(int *out, const unsigned *start) {
  __shared__ unsigned count;
  if (threadIdx.x == 0)
    count = start[0] & 0x3FFFFFFFu;
  __syncthreads();
  unsigned rank = atomicAdd(&count, 1u);
  __syncthreads();
  out[rank] = threadIdx.x;
}
