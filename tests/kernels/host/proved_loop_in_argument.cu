// A loop computes an argument, between the sizes of the launch and the launch.
// launch: as-launched
__global__ void spread(int *out, int stride, int n) { out[threadIdx.x * stride] = n; }

static int halvings(int n) {
  int count = 0;
  while (n >>= 1) count++;
  return count;
}

void start(int *out, int stride) {
  if (stride < 1 || stride > 1000) return;
  spread<<<1, 32>>>(out, stride, halvings(stride));
}
