// Another file may replace a weak function, so that what it gives here is not what it gives in the program.
// launch: grid=2 block=64
__attribute__((weak)) __device__ int place(int i) { return i; }

__global__ void store(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[place(i)] = i; // ~ HD0001 HD0002
}
