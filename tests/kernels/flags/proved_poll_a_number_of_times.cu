// The flag is polled a number of times, and what was seen last decides after the loop: only the last round can have seen it.
// launch: grid=2 block=1 passes=inter-block-race
static __device__ volatile int flag;
__global__ void k(int *data, int *out, int n) {
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    flag = 1;
  } else {
    int seen = 0;
    for (int i = 0; i < n; i++) {
      int now = flag;
      if (now) {
        seen = now;
        break;
      }
    }
    __threadfence();
    if (seen)
      out[blockIdx.x] = data[0];
  }
}
