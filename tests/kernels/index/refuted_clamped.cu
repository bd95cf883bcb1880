// Clamping the index at the end of the array sends all threads past it to the last element.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  int t = threadIdx.x;
  out[min(t, 30)] = in[t];   // ~ HD0101
}
