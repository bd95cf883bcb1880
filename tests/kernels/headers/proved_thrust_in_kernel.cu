// Thrust's pointers and iterators in a kernel: each thread writes a place of its own.
// launch: grid=any block=any
#include <thrust/device_ptr.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct Twice {
  __device__ int operator()(int n) const { return 2 * n; }
};
__global__ void k(int *buffer) {
  thrust::device_ptr<int> out = thrust::device_pointer_cast(buffer);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto even = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Twice());
  out[even[i]] = i;
}
