// Threads that share a cell also share the value they store in it.
// launch: grid=1 block=128
__global__ void k(int *out) {
  int t = threadIdx.x;
  out[t % 32] = t % 32 * 7;   // ~ HD0103
}
