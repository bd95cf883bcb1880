// Split-K: the blocks of one tile, one behind the other in the third dimension, count themselves, and the last one sets the counter back.
// launch: grid=4,3,5 block=64 passes=races
__device__ unsigned semaphore[4096];
__global__ void k(float *part, float *out) {
  __shared__ bool last;
  int tile = blockIdx.y * gridDim.x + blockIdx.x, tiles = gridDim.x * gridDim.y, t = threadIdx.x;
  part[(blockIdx.z * tiles + tile) * 64 + t] = t;
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(&semaphore[tile], 1) == gridDim.z - 1;
  __syncthreads();
  if (last) {
    __threadfence();
    float sum = 0;
    for (int i = 0; i < gridDim.z; i++) sum += part[(i * tiles + tile) * 64 + t];
    out[tile * 64 + t] = sum;
    if (t == 0) semaphore[tile] = 0;
  }
}
