// The table is filled by host code that the compilation for the device does not see.
// launch: grid=1 block=64
static __constant__ int table[64];
__global__ void k(int *out) {
  __shared__ int s;
  if (table[3]) s = threadIdx.x;           // ~ HD0101
  out[threadIdx.x] = table[threadIdx.x];
}
