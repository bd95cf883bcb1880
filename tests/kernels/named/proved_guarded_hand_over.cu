// One hand-over by a named barrier, of what is inside of the data.
// launch: grid=any block=128
__global__ void k(float *out, const float *in, int n) {
  __shared__ float buf[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + (t & 63);
  if (t < 64) {
    if (i < n) buf[t] = in[i];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (i < n) out[i] = buf[t - 64];
  }
}
