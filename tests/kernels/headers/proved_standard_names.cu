// cuda::std names work in device code: limits, minimum, function objects.
// launch: grid=1 block=64
#include <cuda/functional>
#include <cuda/std/limits>

__global__ void k(int *out, const int *in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = cuda::maximum<int>{}(in[t], cuda::std::numeric_limits<short>::min());
  __syncthreads();
  out[t] = cuda::std::min(s[t], s[63 - t]);
}
