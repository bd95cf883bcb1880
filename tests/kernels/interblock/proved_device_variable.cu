// Each block has a row of a device variable.
// launch: grid=8 block=32
__device__ int table[8][32];
__global__ void k() {
  table[blockIdx.x][threadIdx.x] = threadIdx.x;
}
