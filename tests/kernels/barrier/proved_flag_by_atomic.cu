// The same in CUDA, where a block repeats its rounds as long as one thread has changed something.
// launch: grid=any block=any
__global__ void relax(int *out, const int *in, int n) {
  __shared__ int changed;
  do {
    __syncthreads();
    if (threadIdx.x == 0) changed = 0;
    __syncthreads();
    if (threadIdx.x < n && in[threadIdx.x] > out[blockIdx.x * blockDim.x + threadIdx.x]) {
      out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
      atomicExch(&changed, 1);
    }
    __syncthreads();
  } while (changed);
}
