// Words fill the first half of a buffer and bytes the second.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int s[64 + 16];
  int t = threadIdx.x;
  char *bytes = (char *)(s + 64);
  s[t] = in[t];
  bytes[t] = (char)in[t];
  __syncthreads();
  out[t] = s[63 - t] + bytes[63 - t];
}
