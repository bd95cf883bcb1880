// The item that is read is the next one.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i] = i; __threadfence(); flag[i] = 1; } // ~ HD0102
  } else {
    for (int i = 0; i < n - 1; i++) { while (flag[i] == 0) {} __threadfence(); out[i] = data[i + 1]; }
  }
}
