// Lanes of one warp come to barrier 4 from two places, without the promise to come together.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t % 2) asm volatile("barrier.sync 4;" ::: "memory");
  else asm volatile("barrier.sync 4;" ::: "memory");
  out[t] = s[63 - t];
}
