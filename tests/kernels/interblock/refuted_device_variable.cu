// Rows of a device variable are placed half a row apart, so that neighbouring blocks overlap.
// launch: grid=8 block=32
__device__ int table[8 * 32];
__global__ void k() {
  table[blockIdx.x * 16 + threadIdx.x] = threadIdx.x;   // ~ HD0102
}
