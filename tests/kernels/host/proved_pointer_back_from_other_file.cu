// A kernel is given to another file, and what comes from there is not launched.
// launch: as-launched
typedef void (*kernel_type)(int *);
__global__ void k(int *out) { out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x; }
kernel_type given() { return k; }
kernel_type taken();
void run(int *out) {
  k<<<4, 32>>>(out);
  if (taken() == k) k<<<4, 32>>>(out);
}
