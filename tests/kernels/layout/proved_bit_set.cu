// Threads set different bits of the same word atomically.
// launch: grid=1 block=128
__global__ void k(const int *in, unsigned *bits) {
  int t = threadIdx.x;
  if (in[t] > 0)
    atomicOr(&bits[t / 32], 1u << (t % 32));
}
