// The counter comes to the same number again.
// launch: grid=2 block=1 passes=races
__global__ void k(int *data, volatile int *count, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i] = i; __threadfence(); *count = (i & 3) + 1; } // ~ HD0002
  } else {
    for (int i = 0; i < n; i++) { while (*count != (i & 3) + 1) {} __threadfence(); out[i] = data[i]; }
  }
}
