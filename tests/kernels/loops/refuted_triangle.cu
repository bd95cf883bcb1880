// The rows of a packed triangle are one element longer than their distance.
// launch: grid=1 block=256
__global__ void k(int *out) {
  int t = threadIdx.x;
  for (int j = 0; j <= t + 1; j++)
    out[t * (t + 1) / 2 + j] = t;   // ~ HD0101
}
