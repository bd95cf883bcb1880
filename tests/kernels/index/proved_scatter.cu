// Each thread scatters into a row of its own, so the loaded indices need not be distinct.
// launch: grid=1 block=64
__global__ void k(const int *in, const int *where, int *out) {
  int t = threadIdx.x;
  out[t * 16 + (where[t] & 15)] = in[t];
}
