// A pointer that advances by one visits the elements of all later threads.
// launch: grid=1 block=any
__global__ void k(int *out, int rounds) {
  int *p = out + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    *p = r;   // ~ HD0101
    p += 1;
  }
}
