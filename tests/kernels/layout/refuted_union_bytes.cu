// The bytes of a word are read through a union by a thread that did not write the word.
// launch: grid=1 block=128
union Word { unsigned whole; unsigned char byte[4]; };
__global__ void k(const unsigned *in, unsigned *out) {
  __shared__ Word s[32];
  int t = threadIdx.x;
  if (t < 32)
    s[t].whole = in[t];   // ~ HD0101
  out[t] = s[t / 4].byte[t % 4];
}
