// Four threads store to one place what each has in an array of its own, at one index.
// launch: grid=1 block=64
__global__ void k(const float *in, float *out) {
  __shared__ float q[64];
  int t = threadIdx.x;
  float own[4];
  for (int i = 0; i < 4; i++) own[i] = t + i;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  q[t / 4] = own[(t / 4) & 3]; // ~ HD0104
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = q[t / 4];
}
