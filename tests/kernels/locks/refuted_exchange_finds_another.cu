// The exchange stores two and goes on only at one.
// launch: grid=any block=1 passes=races
#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> lock;
__global__ void k(int *data) {
  while (lock.exchange(2, cuda::memory_order_acquire) == 1) {
  }
  data[0] += 1; // ~ HD0102
  lock.store(0, cuda::memory_order_release);
}
