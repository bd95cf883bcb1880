// The producer does not wait for room.
// launch: grid=2 block=1 passes=races
__global__ void k(int *ring, volatile int *head, volatile int *tail, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      ring[i & 15] = i; // ~ HD0102
      __threadfence();
      *tail = i + 1;
    }
  } else {
    for (int i = 0; i < n; i++) {
      while (*tail <= i) {}
      __threadfence();
      out[i] = ring[i & 15];
      __threadfence();
      *head = i + 1;
    }
  }
}
