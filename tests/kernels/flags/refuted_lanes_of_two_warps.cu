// The block has two warps, and the first thread waits for the lanes of one.
// launch: grid=any block=64 passes=races
#include <cuda/atomic>
__global__ void k(int *data, int *ready, int *out) {
  int t = threadIdx.x, b = blockIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> own(ready[b]), before(ready[b > 0 ? b - 1 : 0]);
  data[b * 64 + t] = t; // ~ HD0102
  __syncwarp();
  if (t == 0) {
    __threadfence();
    own.store(1, cuda::memory_order_relaxed);
  }
  if (b > 0) {
    while (before.load(cuda::memory_order_acquire) == 0) {
    }
    out[b * 64 + t] = data[(b - 1) * 64 + 63 - t];
  }
}
