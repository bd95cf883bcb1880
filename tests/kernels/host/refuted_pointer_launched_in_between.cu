// An argument is computed by a function that launches through a pointer: its sizes are others.
// launch: as-launched
__global__ void fill(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void clear(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
__global__ void half(int *out, int by) {
  __shared__ int slot[64];
  slot[threadIdx.x % 64] = threadIdx.x;  // ~ HD0101
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = slot[threadIdx.x % 64] * by;
}
static int prepare(int *out, int how) {
  void (*kernel)(int *) = how == 0 ? fill : clear;
  kernel<<<1, 64>>>(out);
  return how + 1;
}
void run(int *out, int how) { half<<<1, 128>>>(out, prepare(out, how)); }
