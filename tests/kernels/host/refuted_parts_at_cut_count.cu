// Two parts of one buffer, one element less apart than each of them has.
// launch: as-launched
__global__ void parts_step(int n, float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += 1; // ~ HD0101
    y[i] += 1;
  }
}

void run(float *p, unsigned long count) {
  const int n = count;
  parts_step<<<(n - 1) / 128 + 1, 128>>>(n, p, p + n - 1);
}
