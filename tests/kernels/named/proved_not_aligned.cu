// The form that is not aligned may be reached by parts of a warp, each with its threads counted.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 16)
    asm volatile("barrier.sync 1, 32;" ::: "memory");
  else
    asm volatile("barrier.sync 1, 32;" ::: "memory");
  out[t] = s[31 - t];
}
