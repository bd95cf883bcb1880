// The first two rounds have the same slot.
// launch: grid=any block=128
__global__ void k(float *out, const float *in, int n) {
  __shared__ float s[2][128];
  int t = threadIdx.x, slot = -2;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    slot = slot + 1 > 1 ? 0 : slot + 1;
    s[slot < 0 ? 0 : slot][t] = in[i * 128 + t]; // ~ HD0101
    __syncthreads();
    sum += s[slot < 0 ? 0 : slot][127 - t]; // ~
  }
  out[blockIdx.x * 128 + t] = sum;
}
