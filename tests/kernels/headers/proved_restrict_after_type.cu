// `__restrict__` after a type that is no pointer says nothing, also of pointers that lead to one place.
// launch: grid=any block=64
__device__ void put(int __restrict__ *to, int __restrict__ rows[][2], int value) {
  to[0] = value;
  rows[0][1] = value;
}
__global__ void k(int *p) {
  int row[1][2];
  put(p + blockIdx.x * 64 + threadIdx.x, row, threadIdx.x);
}
