// A block-stride loop whose bound is no multiple of the block leaves some threads out of the last barrier.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  int sum = 0;
  for (int i = threadIdx.x; i < 100; i += 64) {
    sum += in[i];
    __syncthreads();   // ~ HD0201
  }
  out[threadIdx.x] = sum;
}
