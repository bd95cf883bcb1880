// Slots are used again while their flags stay set.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i & 7] = i; __threadfence(); flag[i & 7] = 1; } // ~ HD0102
  } else {
    for (int i = 0; i < n; i++) { while (flag[i & 7] == 0) {} __threadfence(); out[i] = data[i & 7]; }
  }
}
