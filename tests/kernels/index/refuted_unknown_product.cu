// A symbolic stride may be zero, and then all threads meet in one element.
// launch: grid=1 block=64
__global__ void k(int *out, int stride) {
  int t = threadIdx.x;
  out[t * stride] = t;   // ~ HD0101
}
