// Two threads count for both.
// launch: grid=2 block=2 passes=races
__global__ void k(int *data, volatile int *count, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[2 * i + threadIdx.x] = i; __threadfence(); *count = i + 1; } // ~ HD0002
  } else {
    for (int i = 0; i < n; i++) { while (*count <= i) {} __threadfence(); out[2 * i + threadIdx.x] = data[2 * i + threadIdx.x]; }
  }
}
