// One thread stores a constant, the others store the same one; each reads a place of its own then.
// launch: grid=1 block=64
__global__ void k(float *out) {
  __shared__ float s[64], q[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  q[0] = t ? 1 : 1; // ~ HD0103
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = q[0] + s[63 - t];
}
