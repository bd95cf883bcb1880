// The sum of all is read whichever value the flag has.
// launch: grid=any block=any passes=races
__global__ void k(int *own, int *all, volatile int *flag, int *out, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    own[b] = n;
    __threadfence();
    flag[b] = 1;
    int sum = n;
    for (int p = b - 1; p >= 0; p--) {
      int seen;
      do {
        seen = flag[p];
      } while (seen == 0);
      __threadfence();
      if (seen >= 1) {
        sum += all[p];
        break;
      }
      sum += own[p];
    }
    all[b] = sum;   // ~ HD0102
    __threadfence();
    flag[b] = 2;
    out[b] = sum;
  }
}
