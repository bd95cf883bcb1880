// The test leaves a loop, after which the stride may be anything.
// launch: as-launched
__global__ void spread(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }  // ~ HD0101

void start(int *out, int stride, int times) {
  for (int i = 0; i < times; i++) {
    if (stride >= 1) break;
    cudaDeviceSynchronize();
  }
  spread<<<1, 32>>>(out, stride);
}
