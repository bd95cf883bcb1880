// A plain test before the atomic maximum reads what other threads are raising.
// launch: grid=1 block=64
__global__ void k(const int *in, int *maximum) {
  int v = in[threadIdx.x];
  if (v > maximum[0])
    atomicMax(maximum, v);   // ~ HD0101
}
