// The host gives a kernel the address of the variable that it writes.
// launch: as-launched
__device__ float result[1 << 12];

__global__ void neighbours(const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  result[i] = in[i + 1];
}

int main() {
  void *in;
  cudaGetSymbolAddress(&in, result);
  neighbours<<<4, 64>>>((const float *)in);
}
