// With this argument the barrier is there in each iteration.
// launch: grid=1 block=64 n=6
__global__ void k(int *out, int n) {
  for (int i = 0; i < 4; i++) {
    out[0] = i;   // ~ HD0103
    if (n > 5) __syncthreads();
  }
}
