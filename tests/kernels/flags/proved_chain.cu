// Each block waits for the flag of the one before it, with a fence on each side.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
    __threadfence();
    flag[b] = 1;
    if (b > 0) {
      while (flag[b - 1] == 0) {
        }
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
