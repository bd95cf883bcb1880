// One padding slot after every 32 keeps the slots apart.
// launch: grid=1 block=256
__global__ void k(const int *in, int *out) {
  __shared__ int s[264];
  int t = threadIdx.x;
  s[t + (t >> 5)] = in[t];
  __syncthreads();
  int u = 255 - t;
  out[t] = s[u + (u >> 5)];
}
