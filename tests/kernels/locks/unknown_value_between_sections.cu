// A block's threads read a word under a lock, each in a section of its own: another block may write it in between.
// launch: grid=2 block=2 passes=barrier-divergence
__global__ void k(int *data, int *p, int *lock) {
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *p = 7;
    __threadfence();
    atomicExch(lock, 0);
  }
  __syncthreads();
  if (blockIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    int v = *p;
    __threadfence();
    atomicExch(lock, 0);
    if (v == 7) __syncthreads(); // ~ HD0002
    data[threadIdx.x] = v;
  }
}
