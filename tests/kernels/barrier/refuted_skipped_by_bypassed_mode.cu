// A variable whose declaration is jumped over says which side of a switch a thread takes.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int c) {
  switch (c) {
    int mode;
  case 0:
    mode = 0;
    if (threadIdx.x < out[1])
      mode = 1;
    switch (mode) {
    case 1:
      break;
    default:
      __syncthreads();  // ~ HD0201
    }
  }
}
