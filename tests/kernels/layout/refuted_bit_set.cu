// Threads set different bits of the same word by plain read-modify-write.
// launch: grid=1 block=128
__global__ void k(const int *in, unsigned long long *bits) {
  int t = threadIdx.x;
  if (in[t] > 0)
    bits[t / 64] |= 1ull << (t % 64);   // ~ HD0101
}
