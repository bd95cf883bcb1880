// What the function gives is kept in a variable as well, through which another file may launch it.
// launch: as-launched
typedef void (*kernel_type)(int *);
__global__ void k(int *out) { out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x; }  // ~ HD0102
kernel_type kept;
kernel_type given() { return k; }
void run(int *out) {
  kept = given();
  k<<<4, 32>>>(out);
}
