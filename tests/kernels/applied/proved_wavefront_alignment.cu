// A dynamic-programming tile is filled along its diagonals with a barrier after each of them.
// launch: grid=1 block=16
__global__ void k(const int *reference, int *score, int width, int penalty) {
  __shared__ int s[17][17], r[16][16];
  int t = threadIdx.x;
  for (int row = 0; row < 16; row++)
    r[row][t] = reference[row * width + t];
  s[0][t + 1] = score[t + 1];
  s[t + 1][0] = score[(t + 1) * width];
  if (t == 0)
    s[0][0] = score[0];
  __syncthreads();
  for (int diagonal = 0; diagonal < 31; diagonal++) {
    int row = diagonal - t + 1, column = t + 1;
    if (row >= 1 && row <= 16) {
      int best = s[row - 1][column - 1] + r[row - 1][column - 1];
      best = max(best, s[row][column - 1] - penalty);
      s[row][column] = max(best, s[row - 1][column] - penalty);
    }
    __syncthreads();
  }
  if (width > 16)
    for (int row = 0; row < 16; row++)
      score[(row + 1) * width + t + 1] = s[row + 1][t + 1];
}
