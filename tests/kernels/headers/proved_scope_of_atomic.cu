// Two blocks count in one word, in the scope of the device.
// launch: grid=2 block=32
#include <cuda/atomic>

__global__ void k(cuda::atomic<unsigned, cuda::thread_scope_device> *count) {
  if (threadIdx.x == 0)
    count->fetch_add(1, cuda::memory_order_relaxed);
}
