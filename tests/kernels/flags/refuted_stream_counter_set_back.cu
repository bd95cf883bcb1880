// The producer writes an item again after the loop.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *count, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i] = i; __threadfence(); *count = i + 1; }
    data[0] = 7; // ~ HD0102
    *count = 1;
  } else {
    for (int i = 0; i < n; i++) { while (*count <= i) {} __threadfence(); out[i] = data[i]; }
  }
}
