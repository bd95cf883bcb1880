// A flag is looked at by one thread, and a vote of the block tells the others; fences stand on both sides.
// launch: grid=2 block=64
__global__ void k(int *data, volatile int *flag, int *out) {
  int t = threadIdx.x, seen = 0;
  if (blockIdx.x == 0) {
    data[t] = 5;                           // ~ HD0002
    __threadfence();
    __syncthreads();
    if (t == 0) *flag = 1;
  } else {
    if (t == 0) { seen = *flag; __threadfence(); }
    if (__syncthreads_or(seen)) out[t] = data[t];
  }
}
