// Two blocks may find the flag set, and both set it back, one while the other looks.
// launch: grid=4 block=64 passes=races
#include <cuda/atomic>
__global__ void k(int *flag, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    f.store(1, cuda::memory_order_release);
  } else if (blockIdx.x < 3) {
    if (f.load(cuda::memory_order_acquire) == 1) {
      out[blockIdx.x] = 1;
      *flag = 0; // ~ HD0102
    }
  }
}
