// Another thread of the host sets the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
#include <thread>
void run(int *out, int n) {
  int stride = 2;
  std::thread t([&] { stride = 0; });
  t.join();
  k<<<1,64>>>(out, n, stride);
}
