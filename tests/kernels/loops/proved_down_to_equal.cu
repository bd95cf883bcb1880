// The loop counts down from the length of a row, and ends where the counter is zero.
// launch: grid=any block=64
__global__ void down_to_equal(float *out, int n) {
  if (n < 1) return;
  int at = blockIdx.x * n * 64 + threadIdx.x;
  for (int left = n; left != 0; left--, at += 64)
    out[at] = left;
}
