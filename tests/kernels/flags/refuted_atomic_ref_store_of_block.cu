// The reference that is stored to is atomic for a block only.
// launch: grid=any block=any passes=races
#include <cuda/atomic>
__global__ void k(int *data, int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_block> mine(flag[b]);
    data[b] = b;   // ~ HD0102
    mine.store(1, cuda::memory_order_release);   // ~ HD0102
    if (b > 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> theirs(flag[b - 1]);
      while (theirs.load(cuda::memory_order_acquire) != 1) {
      }
      out[b] = data[b - 1];
    }
  }
}
