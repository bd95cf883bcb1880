// A thread whose neighbour holds a number below zero skips the second barrier of the round.
// launch: grid=1 block=128
__global__ void k(float *out, const float *in) {
  __shared__ float row[128];
  int t = threadIdx.x;
  row[t] = in[t];
  for (int round = 0; round < 3; ++round) {
    __syncthreads();
    float v = row[(t + 1) % 128];
    if (v < 0)
      continue;
    __syncthreads();   // ~ HD0201
    row[t] = v / 2;
  }
  out[t] = row[t];
}
