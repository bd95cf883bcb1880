// The program itself rules small n out.
__global__ void k(int *out, int n) {
  __builtin_assume(n > 4);
  out[threadIdx.x + n * blockIdx.x * blockDim.x] = 1;
}
