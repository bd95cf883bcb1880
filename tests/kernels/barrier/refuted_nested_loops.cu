// Every thread meets the barrier four times, but in different iterations of the two loops.
// launch: grid=1 block=2
__global__ void k(int *out) {
  int outer = threadIdx.x == 0 ? 4 : 1;
  int inner = threadIdx.x == 0 ? 1 : 4;
  int sum = 0;
  for (int i = 0; i < outer; i++)
    for (int j = 0; j < inner; j++) {
      sum += i * j;
      __syncthreads();   // ~ HD0201
    }
  out[threadIdx.x] = sum;
}
