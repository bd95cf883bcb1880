// An atomic of the block's scope, which is a call, puts the address of shared memory into global memory.
// launch: grid=1 block=64
__global__ void k(unsigned long long *slot, int *out) {
  __shared__ int own[64];
  if (threadIdx.x == 0)
    atomicExch_block(slot, (unsigned long long)own);
  __syncthreads();
  int *found = *(int **)slot;
  __syncthreads();
  if (threadIdx.x == 40)
    found[3] = 1;  // ~ HD0002
  if (threadIdx.x == 2)
    out[0] = own[3];
}
