// A square matrix is transposed in place by all threads, so that both owners of a pair move it.
// launch: grid=4,4 block=1,1
__global__ void k(int *a, int n) {
  int i = blockIdx.y, j = blockIdx.x;
  if (i < n && j < n) {
    int other = a[j * n + i];
    a[i * n + j] = other;   // ~ HD0102
  }
}
