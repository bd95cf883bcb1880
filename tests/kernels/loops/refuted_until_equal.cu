// The loop ends where its counter is one more than the length of a row, so a row reaches into the next.
// launch: grid=any block=64
__global__ void until_equal(float *out, int n) {
  if (n < 1) return;
  int at = blockIdx.x * n * 64 + threadIdx.x;
  for (int i = 0; i != n + 1; i++, at += 64)
    out[at] = i; // ~ HD0102
}
