// Padding with the wrong sign lets the first slot of a row fall on the last of the row before.
// launch: grid=1 block=256
__global__ void k(const int *in, int *out) {
  __shared__ int s[264];
  int t = threadIdx.x;
  s[t - (t >> 5)] = in[t];   // ~ HD0101
  __syncthreads();
  int u = 255 - t;
  out[t] = s[u - (u >> 5)];
}
