// Slots that are full or empty, filled by one thread and emptied by another.
// launch: grid=2 block=1 passes=races
#include <cuda/atomic>
using Ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void k(int *ring, int *full, int *out, int n) {
  for (int i = 0; i < n; i++) {
    Ref f(full[i % 8]);
    if (blockIdx.x == 0) {
      while (f.load(cuda::memory_order_acquire) != 0) {}
      ring[i % 8] = i;
      f.store(1, cuda::memory_order_release);
    } else {
      while (f.load(cuda::memory_order_acquire) != 1) {}
      out[i] = ring[i % 8];
      f.store(0, cuda::memory_order_release);
    }
  }
}
