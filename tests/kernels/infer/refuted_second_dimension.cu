// The index forgets the second dimension of the block.
// launch: grid=1 block=any,any infer
__global__ void k(int *out) { out[threadIdx.x] = threadIdx.y; }  // ~ HD0101
