// The barrier stands before the store.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z;
  int t = threadIdx.x;
  __syncthreads();
  if (t == 1) { z = 1; return; }           // ~ HD0101
  if (t == 40) out[0] = z;
}
