// A pointer to a kernel that others may get: who launches it, and with what block, is not known.
// launch: as-launched
__global__ void count(int *out) {
  out[blockIdx.x * 8 + threadIdx.x] = blockIdx.x;  // ~ HD0102
}
__global__ void clear(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
void keep(void (**)(int *));
void run(int *out, int how, int blocks) {
  void (*kernel)(int *) = how == 0 ? count : clear;
  kernel<<<blocks, 8>>>(out);
  keep(&kernel);
}
