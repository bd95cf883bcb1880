// Two cases give one size, and for all other numbers the host throws.
// launch: as-launched
#include <stdexcept>
__global__ void k(int *out, int n, int m) {
  if (threadIdx.x < m) out[blockIdx.x * n + threadIdx.x] = m;
}
static int size_of(int n) {
  int m;
  switch (n) {
    case 64: case 128: m = 64; break;
    case 256: m = 128; break;
    default: throw std::invalid_argument("n");
  }
  return m;
}
void run(int *out, int n) {
  int m = size_of(n);
  k<<<8, 256>>>(out, n, m);
}
