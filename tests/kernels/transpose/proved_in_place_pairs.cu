// A square matrix is transposed in place by the threads below its diagonal only.
// launch: grid=any,any block=16,16 assume="gridDim.x <= 65535"
__global__ void k(int *a, int n) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i < n && j < i) {
    int upper = a[j * n + i], lower = a[i * n + j];
    a[j * n + i] = lower;
    a[i * n + j] = upper;
  }
}
