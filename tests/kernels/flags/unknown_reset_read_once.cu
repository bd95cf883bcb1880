// Who reads the flag once, and finds it set, sets it back: that comes after the write, which it has observed.
// launch: grid=4 block=64 passes=races
#include <cuda/atomic>
__global__ void k(int *flag, int *data, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    f.store(1, cuda::memory_order_release); // ~ HD0002
  } else if (blockIdx.x == 1) {
    if (f.load(cuda::memory_order_acquire) == 1) {
      *out = *data;
      *flag = 0;
    }
  }
}
