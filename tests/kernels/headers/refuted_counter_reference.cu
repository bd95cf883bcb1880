// Some threads count through cuda::atomic_ref, one adds to the word as it is.
// launch: grid=1 block=64
#include <cuda/atomic>

__global__ void k(int *count, const int *in) {
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(*count);
  if (threadIdx.x < 63)
    counter.fetch_add(1, cuda::memory_order_relaxed); // ~ HD0101
  else
    *count += 1;
}
