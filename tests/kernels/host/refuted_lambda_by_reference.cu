// A lambda launches with a variable that was changed since the check.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, int stride) {
  if (stride < 1 || stride > 8) return;
  auto launch = [&](int blocks) { k<<<blocks, 64>>>(out, n, stride); };
  stride -= 1;
  launch(1);
}
