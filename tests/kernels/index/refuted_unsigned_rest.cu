// A size with a sign that is compared without one: for one of 2 it is a rest that two threads share.
// launch: grid=1 block=64
__global__ void k(int *out, int w) {
  unsigned u = threadIdx.x;
  if (u < w)
    out[u % (w - 1)] = u; // ~ HD0101
}
