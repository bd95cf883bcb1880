// A flag that is raised by an atomic which orders as well: threads may be ordered by it, and not by barriers alone.
// launch: grid=any block=64 passes=barrier-divergence
#include <cuda/atomic>
__global__ void rounds(const int *in) {
  __shared__ int go;
  for (int round = 0; round < 10; round++) {
    if (threadIdx.x == 0) go = 0;
    __syncthreads(); // ~ HD0002
    if (in[threadIdx.x] > round) cuda::atomic_ref<int, cuda::thread_scope_block>(go).fetch_or(1);
    __syncthreads(); // ~ HD0002
    if (!go) break;
    __syncthreads(); // ~ HD0002
  }
}
