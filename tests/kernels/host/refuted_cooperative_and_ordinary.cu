// A grid barrier by hand, in a kernel that the program launches cooperatively and, for a second time, as any other.
// launch: as-launched
__global__ void cooperative_launch(const int *in, int *out, int *reversed, unsigned *arrived) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  out[i] = in[i] * 2;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) { // ~ HD0501
    }
    __threadfence();
  }
  __syncthreads();
  reversed[i] = out[n - 1 - i];
}

int main() {
  int *in, *out, *reversed;
  unsigned *arrived;
  cudaMalloc(&in, 4 * 256 * sizeof(int));
  cudaMalloc(&out, 4 * 256 * sizeof(int));
  cudaMalloc(&reversed, 4 * 256 * sizeof(int));
  cudaMalloc(&arrived, sizeof(unsigned));
  cudaMemset(arrived, 0, sizeof(unsigned));
  void *arguments[] = {&in, &out, &reversed, &arrived};
  cudaLaunchCooperativeKernel((void *)cooperative_launch, dim3(4), dim3(256), arguments, 0, 0);
  cudaLaunchKernel((void *)cooperative_launch, dim3(4), dim3(256), arguments, 0, 0);
}
