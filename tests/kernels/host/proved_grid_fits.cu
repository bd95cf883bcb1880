// The grid is what the index of a block is folded into.
// launch: as-launched
__global__ void k(int *out) { out[blockIdx.x % 32 * 64 + threadIdx.x] = blockIdx.x; }
void run(int *out) { k<<<32, 64>>>(out); }
