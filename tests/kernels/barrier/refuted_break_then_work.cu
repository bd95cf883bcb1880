// A thread leaves the loop with a break, works, and waits with the others at the end, not where they wait.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    if (t == i) { out[t] = i; break; }
    __syncthreads();                       // ~ HD0201
  }
  __syncthreads();
}
