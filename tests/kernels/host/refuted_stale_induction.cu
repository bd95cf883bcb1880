// The stride depends on the turn of the loop in which a number was found.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
int *next(int *);
void run(int *out, int n) {
  int s = 1;
  for (int i = 0; i < 100; i++) {
    if (n == i) s = i - 50;
    k<<<1,64>>>(out, n, s + 40);
  }
}
