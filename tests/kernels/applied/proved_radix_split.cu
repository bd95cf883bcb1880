// One bit of a radix sort counts zeros by a scan in shared memory and leaves the scatter to the next launch.
// launch: grid=1 block=128
__global__ void k(const unsigned *in, unsigned *position, int bit) {
  __shared__ unsigned zeros[128];
  unsigned t = threadIdx.x, one = in[t] >> (bit & 31) & 1;
  zeros[t] = 1 - one;
  __syncthreads();
  for (unsigned d = 1; d < 128; d *= 2) {
    unsigned v = t >= d ? zeros[t - d] : 0;
    __syncthreads();
    zeros[t] += v;
    __syncthreads();
  }
  position[t] = one ? t - zeros[t] + zeros[127] : zeros[t] - 1;
}
