// Whatever the host has put into the table, one thread writes.
// launch: grid=1 block=64
static __constant__ int table[64];
__global__ void k(int *out) {
  __shared__ int s;
  if (table[3] && threadIdx.x == 5) s = threadIdx.x;
  out[threadIdx.x] = table[threadIdx.x];
}
