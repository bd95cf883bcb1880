// The block's counter starts where memory says, close to its end: the count wraps around.
// launch: grid=1 block=32 passes=races
__global__ void append(int *out, const unsigned *start) {
  __shared__ unsigned count;
  if (threadIdx.x == 0)
    count = start[0] | 0xFFFFFFF0u;
  __syncthreads();
  unsigned rank = atomicAdd(&count, 1u);
  __syncthreads();
  if (count <= rank)
    out[0] = threadIdx.x; // ~ HD0101
}
