// One thread stores a constant, the others store another one.
// launch: grid=1 block=64
__global__ void k(float *out) {
  __shared__ float s[64], q[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  q[0] = t ? 0 : 1; // ~ HD0101
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = q[0] + s[63 - t];
}
