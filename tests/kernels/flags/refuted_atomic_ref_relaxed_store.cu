// The store through the reference does not release.
// launch: grid=any block=any passes=races
#include <cuda/atomic>
__global__ void k(int *data, int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(flag[b]);
    data[b] = b;   // ~ HD0102
    mine.store(1, cuda::memory_order_relaxed);
    if (b > 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> theirs(flag[b - 1]);
      while (theirs.load(cuda::memory_order_acquire) != 1) {
      }
      out[b] = data[b - 1];
    }
  }
}
