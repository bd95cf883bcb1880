// A thread stores and returns out of the loop, at the end of the kernel's text; the loop's end returns as well.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    if (t == i) { out[t] = i; return; }
    __syncthreads();                       // ~ HD0203
  }
}
