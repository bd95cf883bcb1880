// Four threads store to one place what they have just read at one place.
// launch: grid=1 block=64
__global__ void k(const float *in, float *out) {
  __shared__ float s[64], q[64];
  int t = threadIdx.x;
  s[t] = in[t];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  q[t / 4] = 2 * s[t / 4] + in[t / 4]; // ~ HD0103
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = q[t / 4];
}
