// No fence stands between an item and its flag.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i] = i; flag[i] = 1; } // ~ HD0102
  } else {
    for (int i = 0; i < n; i++) { while (flag[i] == 0) {} __threadfence(); out[i] = data[i]; }
  }
}
