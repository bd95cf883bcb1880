// Each thread writes as many elements as it has rounds, in a row that holds them.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x, p = t * 8;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j <= (t & 3); ++j)
      out[p++] = t;
}
