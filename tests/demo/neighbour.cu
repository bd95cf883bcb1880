// Each thread publishes a value and reads its neighbour's. The barrier between the two is missing.
#include <cstdio>

__global__ void neighbour(int *out, int n) {
  __shared__ int slot[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  slot[t] = i < n ? out[i] : 0;
  // __syncthreads();
  int right = slot[(t + 1) % 256];
  if (i < n)
    out[i] = right;
}

int main() {
  int *out;
  cudaMalloc(&out, 1024 * sizeof(int));
  cudaMemset(out, 0, 1024 * sizeof(int));
  neighbour<<<4, 256>>>(out, 1024);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
