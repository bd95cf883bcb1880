// A ring in shared memory between two warps.
// launch: grid=any block=64 passes=races
__global__ void k(int *out, int n) {
  __shared__ int ring[8];
  __shared__ volatile int head, tail;
  if (threadIdx.x == 0) { head = 0; tail = 0; }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      while (i - head >= 8) {}
      __threadfence_block();
      ring[i & 7] = i;
      __threadfence_block();
      tail = i + 1;
    }
  } else if (threadIdx.x == 32) {
    for (int i = 0; i < n; i++) {
      while (tail <= i) {}
      __threadfence_block();
      out[blockIdx.x * n + i] = ring[i & 7];
      __threadfence_block();
      head = i + 1;
    }
  }
}
