// What lets a round read is what the round before it read from the flag.
// launch: grid=2 block=1 passes=inter-block-race
static __device__ volatile int flag;
__global__ void k(int *data, int *out, int n) {
  if (blockIdx.x == 0) {
    data[0] = 1; // ~ HD0002
    __threadfence();
    flag = 1;
  } else {
    int last = 0;
    for (int i = 0; i < n; i++) {
      if (last)
        out[i] = data[0];
      last = flag;
      __threadfence();
    }
  }
}
