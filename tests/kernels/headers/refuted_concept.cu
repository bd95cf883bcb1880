// A concept, which is of C++20: no option names the edition, and neighbours are read while they are written.
// launch: grid=any block=any
#include <concepts>

template <std::integral T> __device__ T next(T i) { return i + 1; }

__global__ void shift(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (next(i) < n) out[i] = out[next(i)]; // ~ HD0101
}
