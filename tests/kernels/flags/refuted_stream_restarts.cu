// The counter starts again, and is the same number twice.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *count, int *out, int n, int m) {
  if (blockIdx.x == 0) {
    for (int r = 0; r < m; r++)
      for (int i = 0; i < n; i++) { data[i] = i + r; __threadfence(); *count = i + 1; } // ~ HD0102
  } else {
    for (int i = 0; i < n; i++) { while (*count <= i) {} __threadfence(); out[i] = data[i]; }
  }
}
