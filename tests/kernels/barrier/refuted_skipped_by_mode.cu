// A variable of the kernel's own says which side of a switch a thread takes; one side has the barrier.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  int mode = 0;
  if (threadIdx.x < n)
    mode = 1;
  switch (mode) {
  case 1:
    break;
  default:
    __syncthreads();  // ~ HD0201
  }
}
