// The same for a grid of any size: whether two tiles have one counter is not found out.
// launch: grid=any,any,any block=64 passes=races
__device__ unsigned semaphore[4096];
__global__ void k(float *part, float *out) {
  __shared__ bool last;
  int tile = blockIdx.y * gridDim.x + blockIdx.x, tiles = gridDim.x * gridDim.y, t = threadIdx.x;
  part[(blockIdx.z * tiles + tile) * 64 + t] = t; // ~ HD0002
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(&semaphore[tile], 1) == gridDim.z - 1; // ~ HD0002
  __syncthreads();
  if (last) {
    __threadfence();
    float sum = 0;
    for (int i = 0; i < gridDim.z; i++) sum += part[(i * tiles + tile) * 64 + t];
    out[tile * 64 + t] = sum; // ~ HD0002
    if (t == 0) semaphore[tile] = 0;
  }
}
