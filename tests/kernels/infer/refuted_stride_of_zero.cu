// The elements of the threads are one unless the stride is at least 1.
// launch: grid=1 block=64 infer
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
