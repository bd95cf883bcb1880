// The index forgets the second dimension of the block: not where `blockDim.y == 1`.
// launch: grid=1 block=any,any assume="blockDim.y == 1"
__global__ void k(int *out) { out[threadIdx.x] = threadIdx.y; }
