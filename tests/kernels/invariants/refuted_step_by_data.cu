// A counter goes on by one where the data say so: one thread comes where another one is.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n) {
  int at = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (in[i * 64 + threadIdx.x] > 3) at += 1;
    out[at] = i;   // ~ HD0101
  }
}
