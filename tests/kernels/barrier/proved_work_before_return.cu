// A thread works in a loop of its own before it returns; nothing there waits.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  while (n > 0) {
    if (t < 5) {
      for (int i = 0; i < t; i++) out[t] += i;
      return;
    }
    __syncthreads();                       // ~ HD0203
    n--;
  }
  out[t] = n;
}
