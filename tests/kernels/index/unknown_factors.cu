// Only the fact that a number of 61 bits is prime keeps the two threads apart.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned a, unsigned b) {
  int t = threadIdx.x;
  unsigned long long product = (unsigned long long)a * b;
  bool composite = a > 1 && b > 1 && product == 2305843009213693951ull;
  if (t == 0 || composite)
    out[0] = t;   // ~ HD0003
}
