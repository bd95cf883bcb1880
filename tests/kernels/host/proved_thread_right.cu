// Another thread of the host has a copy of the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
#include <thread>
void run(int *out, int n) {
  int stride = 2;
  std::thread other([copy = stride]() mutable { copy = 0; });
  other.join();
  k<<<1, 64>>>(out, n, stride);
}
