// All threads run a barrier loop as often as a parameter says.
// launch: grid=1 block=32
__global__ void k(int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += i;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
