// The first round has a slot of its own, the others take turns.
// launch: grid=any block=128
__global__ void k(float *out, const float *in, int n) {
  __shared__ float s[3][128];
  int t = threadIdx.x, slot = -2;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    slot = slot + 1 > 1 ? 0 : slot + 1;
    s[slot < 0 ? 2 : slot][t] = in[i * 128 + t];
    __syncthreads();
    sum += s[slot < 0 ? 2 : slot][127 - t];
  }
  out[blockIdx.x * 128 + t] = sum;
}
