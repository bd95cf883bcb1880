// What the function gives is launched at once, and not kept.
// launch: as-launched
typedef void (*kernel_type)(int *);
__global__ void k(int *out) { out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x; }
kernel_type given() { return k; }
void run(int *out) {
  given()<<<4, 32>>>(out);
  k<<<4, 32>>>(out);
}
