// The bound of a barrier loop is read from shared memory that one thread has filled before a barrier.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int bound;
  if (threadIdx.x == 0)
    bound = in[0];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < bound; i++) {
    sum += i;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
