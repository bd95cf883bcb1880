// All threads count in one word through cuda::atomic_ref.
// launch: grid=2 block=64
#include <cuda/atomic>

__global__ void k(int *count, const int *in) {
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(*count);
  if (in[blockIdx.x * 64 + threadIdx.x] > 0)
    counter.fetch_add(1, cuda::memory_order_relaxed);
}
