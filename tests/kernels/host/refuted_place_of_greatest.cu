// As proved_place_of_greatest.cu, with `lower_bound`, which may give the end of the numbers.
// launch: as-launched
#include <thrust/binary_search.h>
#include <thrust/device_ptr.h>
__global__ void mark(int *out, int at) { out[threadIdx.x * (at < 64)] = threadIdx.x; }  // ~ HD0101
void best(float *p, int *out) {
  auto first = thrust::device_pointer_cast(p);
  int at = thrust::lower_bound(first, first + 64, 1.0f) - first;
  mark<<<1, 64>>>(out, at);
}
