// A continue statement takes even threads past the barrier of the iteration.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    if ((t + i) % 2 == 0)
      continue;
    sum += i;
    __syncthreads();   // ~ HD0201
  }
  out[t] = sum;
}
