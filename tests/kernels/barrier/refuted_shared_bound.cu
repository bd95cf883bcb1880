// The bound of a barrier loop is read from a shared array at each thread's own slot.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int bound[64];
  bound[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < bound[threadIdx.x]; i++) {
    sum += i;
    __syncthreads();   // ~ HD0201
  }
  out[threadIdx.x] = sum;
}
