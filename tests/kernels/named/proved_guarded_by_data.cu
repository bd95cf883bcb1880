// The same reader, which waits.
// launch: grid=any block=128
__global__ void k(float *out, const float *in, const int *valid) {
  __shared__ float buf[64];
  int t = threadIdx.x;
  if (t < 64) {
    if (valid[blockIdx.x]) buf[t] = in[t];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[blockIdx.x * 64 + t - 64] = buf[t - 64];
  }
}
