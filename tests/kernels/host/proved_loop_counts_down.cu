// The last turn of the loop launches with a stride of one.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n) {
  for (int stride = 8; stride > 0; stride--) k<<<1, 64>>>(out, n, stride);
}
