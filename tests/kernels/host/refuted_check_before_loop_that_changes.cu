// The stride was tested before the loop, which makes it smaller.
// launch: as-launched
__global__ void spread(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }  // ~ HD0101

void start(int *out, int stride, int times) {
  if (stride < 1 || stride > 1000) return;
  for (int i = 0; i < times; i++) {
    spread<<<1, 32>>>(out, stride);
    stride--;
  }
}
