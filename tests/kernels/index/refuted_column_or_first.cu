// A column beyond 2^31 is taken for the first one, as the program says.
// launch: grid=any block=128
__global__ void k(int *out, int w) {
  int x = blockIdx.x * 256 + threadIdx.x;
  if (x < w)
    out[x < 0 ? 0 : x] = threadIdx.x; // ~ HD0101
}
