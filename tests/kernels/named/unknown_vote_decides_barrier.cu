// How many threads come to a named barrier is what a barrier of the block has counted: its result is not followed.
// launch: grid=1 block=64
__global__ void k(int *out, int *in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int half = __syncthreads_count(t < 32);
  s[t] = t; // ~ HD0002
  asm volatile("bar.sync 1, %0;" ::"r"(2 * half) : "memory"); // ~ HD0002
  out[t] = s[63 - t];
}
