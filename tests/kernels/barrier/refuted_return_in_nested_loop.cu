// Some threads only leave the inner loop, and come to its barrier again in the next round.
// launch: grid=1 block=64 n=3
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 3; i++) {
      if (t == i + 3 * j) break;
      __syncthreads();                     // ~ HD0201
    }
  out[t] = 1;
}
