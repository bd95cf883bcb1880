// A volatile stride may be another one when it is read again.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n) {
  extern volatile int given;
  if (given < 1 || given > 8) return;
  k<<<1, 64>>>(out, n, given);
}
