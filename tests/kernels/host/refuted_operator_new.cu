// The program's own operator new changes the stride, and a library may call it.
// launch: as-launched
#include <cstdlib>
static int stride = 1;
void *operator new(size_t bytes) {
  stride = 0;
  return malloc(bytes);
}
void library_that_allocates();
__global__ void operator_new(float *out, int s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * s] = i; // ~ HD0101
}
int main() {
  float *out;
  cudaMalloc(&out, 1 << 20);
  library_that_allocates();
  operator_new<<<4, 64>>>(out, stride);
}
