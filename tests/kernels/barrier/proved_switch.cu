// A switch on a parameter sends all threads of the block to the same barrier.
// launch: grid=1 block=64
__global__ void k(int *out, int mode) {
  int t = threadIdx.x, v = 0;
  switch (mode % 4) {
  case 0:
    v = 7;
    break;
  case 1:
    __syncthreads();
    v = 8;
    break;
  default:
    v = 9;
  }
  out[t] = v;
}
