// Three parts of one buffer, a count apart that is cut to the width of the kernel's argument.
// launch: as-launched
__global__ void step(int n, float *x, float *y, float *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += 1;
    y[i] += 1;
    z[i] += 1;
  }
}

void run(float *p, unsigned long count) {
  const int n = count;
  step<<<(n - 1) / 128 + 1, 128>>>(n, p, p + n, p + 2 * n);
}
