// A switch sends each quarter of the block to a quarter of the output.
// launch: grid=1 block=128
__global__ void k(int *out) {
  int t = threadIdx.x, i;
  switch (t / 32) {
  case 0: i = 96 + t; break;
  case 1: i = t - 32; break;
  case 2: i = 127 - t; break;
  default: i = t - 32; break;
  }
  out[i] = t;
}
