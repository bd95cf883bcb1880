// The arms of a branch write elements that are meant to interleave but meet.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t < 32)
    out[2 * t] = t;   // ~ HD0101
  else
    out[t] = -t;
}
