// Threads that share a cell store values that differ by their warp.
// launch: grid=1 block=128
__global__ void k(int *out) {
  int t = threadIdx.x;
  out[t % 32] = t / 32;   // ~ HD0101
}
