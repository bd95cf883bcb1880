// Threads that share a cell store the same element of an array that nobody writes.
// launch: grid=1 block=128
__global__ void k(const int *in, int *out) {
  int t = threadIdx.x;
  out[t % 32] = in[t % 32];   // ~ HD0103
}
