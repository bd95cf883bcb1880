// A pointer that advances by the block size visits elements that no other thread visits.
// launch: grid=1 block=any
__global__ void k(int *out, int rounds) {
  int *p = out + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    *p = r;
    p += blockDim.x;
  }
}
