// Bytes that are counted from the wrong word land in the last words of other threads.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int s[64 + 16];
  int t = threadIdx.x;
  char *bytes = (char *)(s + 60);
  s[t] = in[t];   // ~ HD0101
  bytes[t] = (char)in[t];
  __syncthreads();
  out[t] = s[63 - t] + bytes[63 - t];
}
