// A function of the program that changes the stride is not called: no library knows it.
// launch: as-launched
#include <cstdlib>
static int stride = 1;
void *own_new(size_t bytes) {
  stride = 0;
  return malloc(bytes);
}
void library_that_allocates();
__global__ void operator_new(float *out, int s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * s] = i;
}
int main() {
  float *out;
  cudaMalloc(&out, 1 << 20);
  library_that_allocates();
  operator_new<<<4, 64>>>(out, stride);
}
