// A block says by the value of its flag whether it has published, and has a fence only then.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
    if (n > 3) {
      __threadfence();
      flag[b] = 1;
    } else {
      flag[b] = 2;
    }
    if (b > 0 && flag[b - 1] == 1) {
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
