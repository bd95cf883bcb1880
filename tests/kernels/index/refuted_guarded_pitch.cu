// The guard lets a column be as large as the distance of two rows, so a row ends where the next one begins.
// launch: grid=44,44 block=16,16
__global__ void guarded_pitch(float *out) {
  const int n = 700;
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row < n && column <= n)
    out[row * n + column] = row * column; // ~ HD0102
}
