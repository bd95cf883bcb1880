// The column of the lower factor is not finished when the row of the upper factor is computed from it.
// launch: grid=1 block=64
__global__ void k(float *m) {
  __shared__ float s[64][64];
  int t = threadIdx.x;
  for (int i = 0; i < 64; i++)
    s[i][t] = m[i * 64 + t];
  __syncthreads();
  for (int i = 0; i < 63; i++) {
    if (t > i)
      s[t][i] /= s[i][i];   // ~ HD0101
    if (t > i)
      for (int j = 0; j <= i; j++)
        s[i + 1][t] -= s[i + 1][j] * s[j][t];
    __syncthreads();
  }
  for (int i = 0; i < 64; i++)
    m[i * 64 + t] = s[i][t];
}
