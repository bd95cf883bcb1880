// Thrust's iterators in a kernel: half of each number is one place for two threads.
// launch: grid=1 block=64
#include <thrust/device_ptr.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct Half {
  __device__ int operator()(int n) const { return n / 2; }
};
__global__ void k(int *buffer) {
  thrust::device_ptr<int> out = thrust::device_pointer_cast(buffer);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto half = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Half());
  out[half[i]] = i; // ~ HD0101
}
