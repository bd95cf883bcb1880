// Each thread reserves room for at least 1000 numbers: all together more than a counter holds.
// launch: grid=100000 block=1024
__global__ void k(int *out, unsigned *tail, const unsigned char *in) {
  unsigned room = atomicAdd(tail, in[threadIdx.x] + 1000u);
  out[room] = threadIdx.x; // ~ HD0002
}
