// The value that is read is the one that the other status announces.
// launch: grid=any block=any passes=races
__global__ void k(int *aggregate, int *prefix, volatile int *status, const int *in, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    int v = in[b];
    aggregate[b] = v;
    __threadfence();
    status[b] = 1;
    int sum = 0;
    for (int p = b - 1; p >= 0; p--) {
      int s;
      do {
        s = status[p];
      } while (s == 0);
      __threadfence();
      if (s == 1) {
        sum += prefix[p];
        break;
      }
      sum += aggregate[p];
    }
    prefix[b] = sum + v;   // ~ HD0102
    __threadfence();
    status[b] = 2;
    out[b] = sum;
  }
}
