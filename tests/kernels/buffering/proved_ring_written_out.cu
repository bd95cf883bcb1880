// A ring whose slot goes on by 40 steps that are written out, each of them with the last one twice.
// launch: grid=any block=128
__global__ void k(float *out, const float *in, int n) {
  __shared__ float s[3][128];
  int t = threadIdx.x, slot = 0;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    slot = slot + 1 > 2 ? 0 : slot + 1;
    s[slot][t] = in[i * 128 + t];
    __syncthreads();
    sum += s[slot][127 - t];
  }
  out[blockIdx.x * 128 + t] = sum;
}
