// The loop ends where its counter is equal to the length of a row, so no row has more elements.
// launch: grid=any block=64
__global__ void until_equal(float *out, int n) {
  if (n < 1) return;
  int at = blockIdx.x * n * 64 + threadIdx.x;
  for (int i = 0; i != n; i++, at += 64)
    out[at] = i;
}
