// The grid is twice what the index of a block is folded into.
// launch: as-launched
__global__ void k(int *out) { out[blockIdx.x % 32 * 64 + threadIdx.x] = blockIdx.x; }  // ~ HD0102
void run(int *out) { k<<<64, 64>>>(out); }
