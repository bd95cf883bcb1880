// The flag is released, then stored again by the same thread, whose second value is what is waited for.
// launch: grid=2 block=1 passes=inter-block-race
#include <cuda/atomic>
__global__ void k(int *flag, int *data, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> of(*flag);
  if (blockIdx.x == 0) {
    data[0] = 5;   // ~ HD0002
    of.store(1, cuda::memory_order_release);
    of.store(2, cuda::memory_order_relaxed);
  } else {
    while (of.load(cuda::memory_order_acquire) != 2)
      ;
    out[0] = data[0];
  }
}
