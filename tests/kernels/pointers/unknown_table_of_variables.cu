// A table whose pointers lead to one variable, as its initialiser says.
// launch: grid=1 block=64
__device__ int numbers[128];
__device__ int *const table[2] = {numbers, numbers};

__global__ void both() {
  int i = threadIdx.x;
  table[i & 1][i / 2] = i; // ~ HD0002
}
