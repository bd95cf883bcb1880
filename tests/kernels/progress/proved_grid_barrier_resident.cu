// All blocks count, and wait until all have counted; the user says that all are resident.
// launch: grid=3 block=64 assume-progress=fair
__global__ void k(unsigned *count) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x) {}   // ~ HD0501
  }
  __syncthreads();
}
