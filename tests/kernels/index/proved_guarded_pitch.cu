// Rows are 700 apart, and the guard is what keeps a column below that: the block's edge alone does not.
// launch: grid=44,44 block=16,16
__global__ void guarded_pitch(float *out) {
  const int n = 700;
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row < n && column < n)
    out[row * n + column] = row * column;
}
