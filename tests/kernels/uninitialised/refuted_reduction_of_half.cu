// Half of the threads write, and the first round of the tree reads what the other half did not.
// launch: passes=uninitialised-shared block=256 grid=4
__global__ void k(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  if (t < 128) s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (t < h) s[t] += s[t + h];   // ~ HD0302
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
