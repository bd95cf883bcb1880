// The range of a block lies in shared memory, and one thread moves it on; nothing stands between the writes of both.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int start;
  if (threadIdx.x == 0)
    start = 0;
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    int first = start;
    __syncthreads();
    if (threadIdx.x == 0)
      start = first + 31;
    __syncthreads();
    out[first + threadIdx.x] = 1; // ~ HD0101
    out[start + threadIdx.x] = 2;
    __syncthreads();
  }
}
