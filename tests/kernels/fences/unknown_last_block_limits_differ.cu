// All blocks but the first wrap the counter at zero, so the highest ticket is never drawn or drawn often.
// launch: grid=4 block=32
__device__ unsigned count;
__global__ void k(int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0)
    last = atomicInc(&count, blockIdx.x == 0 ? 100 : 0) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0)
    out[0] = blockIdx.x;   // ~ HD0002
}
