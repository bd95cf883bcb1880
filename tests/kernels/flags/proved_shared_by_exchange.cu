// A flag in shared memory is set by an exchange, and looked at by an addition of zero; fences of the block are enough.
// launch: grid=any block=any passes=races
__global__ void k(int *out, const int *in) {
  __shared__ int flag, value;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = in[blockIdx.x];
    __threadfence_block();
    atomicExch(&flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    out[blockIdx.x] = value;
  }
}
