// A thread leaves the loop with a break, and waits at another barrier before it returns.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  bool gone = false;
  for (int i = 0; i < 3 && !gone; i++) {
    if (t == i) { gone = true; break; }
    __syncthreads();                       // ~ HD0201
  }
  __syncthreads();
  if (gone) return;
  out[t] = 1;
}
