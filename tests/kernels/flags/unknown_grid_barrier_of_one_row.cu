// The grid has two dimensions, and as many blocks as a row has are waited for.
// launch: grid=any,any block=any passes=races
__global__ void k(int *data, unsigned *count, int *out) {
  int t = threadIdx.x, b = blockIdx.y * gridDim.x + blockIdx.x, i = b * blockDim.x + t;
  data[i] = t;   // ~ HD0002
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = data[t];
}
