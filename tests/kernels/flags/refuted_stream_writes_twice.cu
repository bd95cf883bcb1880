// An item is written again after its flag was set.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i / 2] = i; __threadfence(); flag[i / 2] = 1; } // ~ HD0102
  } else {
    for (int i = 0; i < n / 2; i++) { while (flag[i] == 0) {} __threadfence(); out[i] = data[i]; }
  }
}
