// A dynamic-programming tile is filled row by row at the same time, although each cell needs its left neighbour.
// launch: grid=1 block=64
__global__ void k(const int *reference, int *score, int penalty) {
  __shared__ int s[17][65];
  int t = threadIdx.x;
  for (int row = 0; row <= 16; row++)
    s[row][t + 1] = 0;
  if (t < 17)
    s[t][0] = 0;
  __syncthreads();
  for (int row = 1; row <= 16; row++) {
    int best = s[row - 1][t] + reference[row * 64 + t];
    best = max(best, s[row][t] - penalty);
    s[row][t + 1] = max(best, s[row - 1][t + 1] - penalty);   // ~ HD0101
    __syncthreads();
  }
  score[t] = s[16][t + 1];
}
