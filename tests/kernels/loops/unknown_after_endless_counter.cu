// The counter is even for ever and its end odd, so that nobody comes to the last line.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  unsigned char end = n | 1;
  for (unsigned char i = 0; i != end; i += 2)
    out[100 + threadIdx.x * 256 + i] = i;
  out[0] = threadIdx.x; // ~ HD0002
}
