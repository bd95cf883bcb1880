// The loop counts down from the length of a row, and ends where the counter is minus one.
// launch: grid=any block=64
__global__ void down_to_equal(float *out, int n) {
  if (n < 1) return;
  int at = blockIdx.x * n * 64 + threadIdx.x;
  for (int left = n; left != -1; left--, at += 64)
    out[at] = left; // ~ HD0102
}
