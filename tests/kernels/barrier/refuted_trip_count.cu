// Each thread runs a barrier loop as often as its own index says.
// launch: grid=1 block=32
__global__ void k(int *out) {
  int sum = 0;
  for (int i = 0; i < threadIdx.x; i++) {
    sum += i;
    __syncthreads();   // ~ HD0201
  }
  out[threadIdx.x] = sum;
}
