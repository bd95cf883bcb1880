// The counter is one behind, so that the start satisfies the guard of the first item.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *count, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i] = i; __threadfence(); *count = i; } // ~ HD0102
  } else {
    for (int i = 0; i < n; i++) { while (*count < i) {} __threadfence(); out[i] = data[i]; }
  }
}
