// The diagonal block of an LU decomposition alternates between a column of the lower and a row of the upper factor.
// launch: grid=1 block=16
__global__ void k(float *m, int pitch) {
  __shared__ float s[16][16];
  int t = threadIdx.x;
  for (int i = 0; i < 16; i++)
    s[i][t] = m[i * pitch + t];
  __syncthreads();
  for (int i = 0; i < 15; i++) {
    if (t > i) {
      for (int j = 0; j < i; j++)
        s[t][i] -= s[t][j] * s[j][i];
      s[t][i] /= s[i][i];
    }
    __syncthreads();
    if (t > i)
      for (int j = 0; j <= i; j++)
        s[i + 1][t] -= s[i + 1][j] * s[j][t];
    __syncthreads();
  }
  if (pitch >= 16)
    for (int i = 0; i < 16; i++)
      m[i * pitch + t] = s[i][t];
}
