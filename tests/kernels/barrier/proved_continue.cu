// A continue statement on the loop counter takes all threads past the barrier together.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0)
      continue;
    sum += t;
    __syncthreads();
  }
  out[t] = sum;
}
