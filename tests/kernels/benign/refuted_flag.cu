// Threads that find a zero store different values in the same cell.
// launch: grid=1 block=64
__global__ void k(const int *in, int *found) {
  if (in[threadIdx.x] == 0)
    found[0] = threadIdx.x;   // ~ HD0101
}
