// An address of shared memory is exchanged into global memory as a number; reads through it are reads of shared memory.
// launch: grid=1 block=64
struct Slot { int *at; };
__global__ void k(Slot *slot, int *out) {
  __shared__ int own;
  if (threadIdx.x == 0)
    atomicExch((unsigned long long *)&slot->at, (unsigned long long)&own);
  __syncthreads();
  if (threadIdx.x == 0)
    own = 1;  // ~ HD0002
  if (threadIdx.x == 32)
    out[0] = *slot->at;
}
