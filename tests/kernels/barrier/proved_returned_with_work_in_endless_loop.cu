// Threads store and return out of a loop without an end, each in a round of its own.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, const int *in) {
  int i = 0;
  for (;;) {
    if (in[threadIdx.x + i] == 5) {
      out[threadIdx.x] = i;
      return;
    }
    i++;
    __syncthreads();  // ~ HD0203
  }
}
