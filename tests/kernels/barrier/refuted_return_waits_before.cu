// A thread waits at a barrier of its own on its way to the return.
// launch: grid=1 block=64 n=2
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  while (n > 0) {
    if (t < 5) {
      __syncthreads();                     // ~ HD0201
      return;
    }
    __syncthreads();                       // ~ HD0201
    n--;
  }
  out[t] = n;
}
