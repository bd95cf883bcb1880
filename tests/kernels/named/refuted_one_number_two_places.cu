// The second half reads before it comes to the barrier, although the barrier of the first half stands before in the text.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z;
  int t = threadIdx.x;
  if (t < 32) {
    if (t == 0) z = 1;                     // ~ HD0101
    asm volatile("bar.sync 15;" ::: "memory");
  } else {
    out[t] = z;
    asm volatile("bar.sync 15;" ::: "memory");
  }
}
