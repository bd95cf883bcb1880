// Where the argument leaves the barrier out, iterations store different values.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  for (int i = 0; i < 4; i++) {
    out[0] = i;   // ~ HD0101
    if (n > 5) __syncthreads();
  }
}
