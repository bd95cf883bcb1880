// The kernel of one namespace is launched for any rows, that of the other for rows that are wide enough.
// launch: as-launched
namespace {
__global__ void k(int *out, int n) {
  if (threadIdx.x < 64) out[blockIdx.x * n + threadIdx.x] = blockIdx.x;
}
}
namespace v2 {
__global__ void k(int *out, int n) {
  if (threadIdx.x < 64) out[blockIdx.x * n + threadIdx.x] = blockIdx.x;  // ~ HD0102
}
}
void run(int *out, int n) {
  v2::k<<<8, 256>>>(out, n);
  if (n < 64) return;
  k<<<8, 64>>>(out, n);
}
