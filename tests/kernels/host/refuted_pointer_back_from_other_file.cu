// A kernel is given to another file, and one that comes from there is launched: it may be the same.
// launch: as-launched
typedef void (*kernel_type)(int *);
__global__ void k(int *out) { out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x; }  // ~ HD0102
kernel_type given() { return k; }
kernel_type taken();
void run(int *out) {
  k<<<4, 32>>>(out);
  taken()<<<4, 64>>>(out);
}
