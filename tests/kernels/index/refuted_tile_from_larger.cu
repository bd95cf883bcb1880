// The end is the start of the tile after the next, which two blocks have.
// launch: grid=any block=64
__global__ void k(float *a, int n, int first, int last) {
  int low = (int)blockIdx.x * 16, from = low > first ? low : first;
  int to = low + 32 < last ? low + 32 : last;
  for (int i = from; i < to; i++)
    if (threadIdx.x == 0) a[i] += i; // ~ HD0102
}
