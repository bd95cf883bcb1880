// A word is written through one member of a union and read through another by the same thread.
// launch: grid=1 block=64
union Word { unsigned whole; unsigned char byte[4]; };
__global__ void k(const unsigned *in, unsigned *out) {
  __shared__ Word s[64];
  int t = threadIdx.x;
  s[t].whole = in[t];
  unsigned sum = 0;
  for (int b = 0; b < 4; b++)
    sum += s[t].byte[b];
  out[t] = sum;
}
