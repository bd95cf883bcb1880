// Each thread has its value from before a barrier, behind which some have changed the place.
// launch: grid=1 block=64
__global__ void k(const float *in, float *out) {
  __shared__ float s[64], q[64];
  int t = threadIdx.x;
  s[t] = in[t];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  float early = s[t / 4];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (t < 16) s[t] = 1;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  q[t / 4] = (t & 1) ? early : s[t / 4]; // ~ HD0104
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = q[t / 4];
}
