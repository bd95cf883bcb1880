// The halves of a warp meet, and the count forgets one of them.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 16)
    asm volatile("barrier.sync 1, 32;" ::: "memory");   // ~ HD0202
  out[t] = s[31 - t];
}
