// The bounds of both loops around a barrier depend on the block only.
// launch: grid=2 block=2
__global__ void k(int *out) {
  int outer = blockIdx.x == 0 ? 4 : 1;
  int inner = blockIdx.x == 0 ? 1 : 4;
  int sum = 0;
  for (int i = 0; i < outer; i++)
    for (int j = 0; j < inner; j++) {
      sum += i * j;
      __syncthreads();
    }
  out[blockIdx.x * 2 + threadIdx.x] = sum;
}
