// A block-stride loop whose bound is a multiple of the block has the same trip count in all threads.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  int sum = 0;
  for (int i = threadIdx.x; i < 128; i += 64) {
    sum += in[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
