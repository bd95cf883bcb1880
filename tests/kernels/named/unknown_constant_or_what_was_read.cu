// One thread stores what it reads, the others store a constant: the place that it reads holds the same.
// launch: grid=1 block=64
__global__ void k(float *out) {
  __shared__ float s[64], q[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  q[0] = t ? 0 : s[0]; // ~ HD0002
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = q[0];
}
