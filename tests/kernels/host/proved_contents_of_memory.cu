// Each thread stays in its row, whatever memory holds.
// launch: as-launched passes=intra-warp-race
__global__ void fill(int *index, int n) {
  index[threadIdx.x] = threadIdx.x % n;
}
__global__ void add(const int *index, float *out, int n) {
  out += n * threadIdx.x;
  out[(unsigned)index[threadIdx.x] % 512] += 1.0f;
}
int main() {
  int *index;
  float *out;
  const int n = 512;
  cudaMallocManaged(&index, 32 * sizeof(int));
  cudaMallocManaged(&out, 32 * n * sizeof(float));
  fill<<<1, 32>>>(index, n);
  add<<<1, 32>>>(index, out, n);
  cudaDeviceSynchronize();
}
