// Thrust's iterators that go backwards, and that store a function of what they are given, lead where their ranges do.
// launch: grid=any block=64
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
struct Twice {
  __host__ __device__ int operator()(int n) const { return 2 * n; }
};
__global__ void k(int *p) {
  auto back = thrust::make_reverse_iterator(p + blockIdx.x * 64 + 64);
  auto twice = thrust::make_transform_output_iterator(back, Twice());
  twice[threadIdx.x % 32] = threadIdx.x; // ~ HD0101
}
