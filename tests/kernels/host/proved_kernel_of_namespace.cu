// Kernels in namespaces whose names end in a digit, as that of an anonymous one does, are checked as launched.
// launch: as-launched
namespace {
__global__ void k(int *out, int n) {
  if (threadIdx.x < n) out[blockIdx.x * n + threadIdx.x] = blockIdx.x;
}
}
namespace v2 {
__global__ void k(int *out, int n) {
  if (threadIdx.x < 64) out[blockIdx.x * n + threadIdx.x] = blockIdx.x;
}
}
void run(int *out, int n) {
  if (n < 64) return;
  k<<<8, 64>>>(out, n);
  v2::k<<<8, 256>>>(out, n);
}
