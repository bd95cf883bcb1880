// The launch is the host's, and whether the run is one of the program rests on what memory holds.
// launch: as-launched passes=intra-warp-race
__global__ void fill(int *index, int n) {
  index[threadIdx.x] = threadIdx.x % n;
}
__global__ void add(const int *index, float *out, int n) {
  out += n * threadIdx.x;
  out[index[threadIdx.x]] += 1.0f; // ~ HD0101
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
