// Barrier 15 is one barrier, wherever it stands: both halves of the block meet there.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 32) asm volatile("bar.sync 15;" ::: "memory");
  else asm volatile("bar.sync 15;" ::: "memory");
  out[t] = s[63 - t];
}
