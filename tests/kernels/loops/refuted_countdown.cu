// A loop that counts down by less than the block size meets other threads' elements.
// launch: grid=1 block=128
__global__ void k(int *out, int n) {
  for (int i = n - 1 - (int)threadIdx.x; i >= 0; i -= 96)
    out[i] = threadIdx.x;   // ~ HD0101
}
