// Adler-32 of "Wikipedia" (11e60398), by sums over a warp.
// run: grid=1 block=32 gives 11e60398
__global__ void adler32(unsigned *out) {
  const char *text = "Wikipedia";
  int t = threadIdx.x;
  unsigned byte = t < 9 ? text[t] : 0, a = byte, b = byte * (t < 9 ? 9 - t : 0);
  for (int d = 16; d; d /= 2) {
    a += __shfl_xor_sync(~0u, a, d);
    b += __shfl_xor_sync(~0u, b, d);
  }
  if (t == 0) out[0] = (b + 9) % 65521 << 16 | (a + 1) % 65521;
}
