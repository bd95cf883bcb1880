// Lengths are so large that five of them wrap the counter around.
// launch: grid=1 block=64
__global__ void k(const int *__restrict__ length, int *out, unsigned *tail) {
  unsigned d = 0x3fffffff | (length[threadIdx.x] & 0x20000000);
  unsigned first = atomicAdd(tail, d);
  out[first >> 2] = threadIdx.x;   // ~ HD0002
}
