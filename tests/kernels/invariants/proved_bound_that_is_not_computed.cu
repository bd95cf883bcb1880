// A bound whose product overflows in runs that never compute it: nothing may be concluded of them.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n, int m) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    if (m > 0 && m < 1000)
      if (in[i] > 3 && at < m * 1000) at++;
  }
  out[at * 64 + threadIdx.x] = n;
}
