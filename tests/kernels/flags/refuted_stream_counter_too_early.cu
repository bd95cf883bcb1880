// The consumer goes on with one item less than it reads.
// launch: grid=2 block=1 passes=races
#include <cuda/atomic>
__global__ void k(int *data, int *count, int *out, int n) {
  cuda::atomic_ref<int, cuda::thread_scope_device> c(*count);
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) { data[i] = i; c.store(i + 1, cuda::memory_order_release); } // ~ HD0102
  } else {
    for (int i = 0; i < n; i++) { while (c.load(cuda::memory_order_acquire) < i) {} out[i] = data[i]; }
  }
}
