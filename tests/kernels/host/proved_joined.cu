// The stride is set in two branches, and right in both.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void log();
void run(int *out, int n, int wide) {
  int stride;
  if (wide > 1 && wide < 9) { log(); stride = wide; } else { log(); stride = 1; }
  log();
  k<<<1, 64>>>(out, n, stride);
}
