// A macro makes the name of a variable that the host sets, another is never set, and all text is looked at.
// launch: as-launched
static __constant__ int c_stride = 1;
static __constant__ int c_value;
#define SYMBOL(x) c_##x
__global__ void k(int *out) {
  out[threadIdx.x * c_stride] = c_value;
}
void run(int *out, int to) {
  cudaMemcpyToSymbol(SYMBOL(value), &to, sizeof to);
  k<<<1, 64>>>(out);
}
