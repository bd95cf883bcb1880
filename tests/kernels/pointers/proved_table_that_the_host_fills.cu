// A table of pointers that the host fills with buffers.
// launch: grid=1 block=64
__device__ int *table[2];

__global__ void both() {
  int i = threadIdx.x;
  table[i & 1][i / 2] = i;
}
