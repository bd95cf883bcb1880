// The host takes the address of a variable, and gives the kernel that writes it a buffer of its own.
// launch: as-launched
__device__ float result[1 << 12];

__global__ void neighbours(const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = in[i + 1];
}

int main() {
  void *at;
  float *in;
  cudaGetSymbolAddress(&at, result);
  cudaMemset(at, 0, sizeof result);
  cudaMalloc(&in, sizeof result);
  neighbours<<<4, 64>>>(in);
}
