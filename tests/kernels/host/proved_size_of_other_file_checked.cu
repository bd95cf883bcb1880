// The host says of a number from another file that it is at most 1.
// launch: as-launched
int layers_for(int n);
__global__ void k(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += 1;
}
void run(int *out, int n) {
  int layers = layers_for(n);
  if (layers > 1) return;
  k<<<dim3(4, 1, layers), 256>>>(out, n);
}
