// Only the first thread stores, whatever the lock lets others do.
// launch: grid=1 block=64 passes=barrier-divergence,intra-warp-race,intra-block-race,inter-block-race
__global__ void k(int *out) {
  __shared__ int lock, data;
  if (threadIdx.x == 0)
    lock = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    data = threadIdx.x;
    __threadfence();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (data != 0)
    out[0] = threadIdx.x;
}
