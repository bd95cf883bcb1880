// Each block writes a column of a device variable that is shorter than the number of rows it takes.
// launch: grid=8 block=32
__device__ int table[8 * 32];
__global__ void k() {
  table[blockIdx.x * 16 + threadIdx.x] = threadIdx.x;   // ~ HD0102
}
