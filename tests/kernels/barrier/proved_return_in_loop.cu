// A thread that returns out of a loop is waited for by no barrier, neither in the loop nor after it.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    if (t == i) return;
    __syncthreads();                       // ~ HD0203
  }
  __syncthreads();                         // ~ HD0203
  out[t] = 1;
}
