// Zero doubles to zero for any number of iterations, without an overflow; one doubles to zero where it may wrap around.
// launch: grid=1 block=64
__global__ void zero(int *out, int n) {
  int t = threadIdx.x, i = n;
  for (int k = 0; k < 40; k++) {
    if (k == 35)
      out[i] = t;   // ~ HD0101
    i *= 2;
  }
}
__global__ void steps(int *out, int n) {
  int t = threadIdx.x, i = n;
  for (int k = 0; k < 10; k++) {
    if (k == 9)
      out[i] = t;   // ~ HD0101
    i *= 16;
  }
}
__global__ void ends(int *out) {
  int t = threadIdx.x, i = t >> 6, c = 0;
  while (i < 5 && c < 100) {
    c++;
    i *= 2;
  }
  if (c == 100)
    out[0] = t;   // ~ HD0101
}
__global__ void wraps(int *out) {
  int t = threadIdx.x;
  unsigned char i = 1;
  for (int k = 0; k < 10; k++) {
    if (k == 8)
      out[i == 0 ? 0 : t] = t;   // ~ HD0101
    i *= 2;
  }
}
