// The ring has one slot: what is read may be written for the next round.
// launch: grid=any block=128
__global__ void k(float *out, const float *in, int n) {
  __shared__ float s[1][128];
  int t = threadIdx.x, slot = -1;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    slot = slot + 1 > 0 ? 0 : slot + 1;
    s[slot][t] = in[i * 128 + t]; // ~ HD0101
    __syncthreads();
    sum += s[slot][127 - t]; // ~
  }
  out[blockIdx.x * 128 + t] = sum;
}
