// A kernel reads constant memory and writes a variable of the same size.
// launch: grid=1 block=32 passes=bounds
__constant__ int table[32];
__device__ int copy[32];
__global__ void k() { copy[threadIdx.x] = table[threadIdx.x]; }
