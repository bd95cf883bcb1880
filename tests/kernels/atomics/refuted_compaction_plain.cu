// Tickets are drawn by a plain increment, so that two threads may get the same one.
// launch: grid=1 block=64
__global__ void k(const int *in, int *count) {
  __shared__ int next;
  int t = threadIdx.x;
  if (t == 0)
    next = 0;
  __syncthreads();
  if (in[t] > 0)
    next = next + 1;   // ~ HD0101
  __syncthreads();
  if (t == 0)
    *count = next;
}
