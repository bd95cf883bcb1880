// A concept, which is of C++20: no option names the edition.
// launch: grid=any block=any
#include <concepts>

template <std::integral T> __device__ T next(T i) { return i + 1; }

__global__ void shift(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (next(i) < n) out[i] = in[next(i)];
}
