// Errors jump over the launch.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
int run(int *out, int n, int stride) {
  int status = 1;
  if (stride < 1) goto end;
  if (stride > 64) goto end;
  k<<<1, 128>>>(out, n, stride);
  status = 0;
end:
  return status;
}
