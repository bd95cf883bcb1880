// The flag of an item is set before the item is written.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { __threadfence(); flag[i] = 1; data[i] = i; } // ~ HD0102
  } else {
    for (int i = 0; i < n; i++) { while (flag[i] == 0) {} __threadfence(); out[i] = data[i]; }
  }
}
