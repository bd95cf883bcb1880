// The ring has one stage, so the next round overwrites what others still read.
// launch: grid=any block=128 passes=races
__global__ void k(float *out, const float *in, int n) {
  __shared__ float stages[3][128];
  int t = threadIdx.x, stage = 0;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    stages[stage][t] = in[i * 128 + t];  // ~ HD0101
    __syncthreads();
    sum += stages[stage][127 - t];
    stage = (stage + 1) % 1;
  }
  out[blockIdx.x * 128 + t] = sum;
}
