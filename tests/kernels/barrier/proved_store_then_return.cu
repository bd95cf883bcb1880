// A thread stores and returns; the others read after a barrier, which completes when it has ended.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z;
  int t = threadIdx.x;
  if (t == 1) { z = 1; return; }
  __syncthreads();                         // ~ HD0203
  if (t == 0) out[0] = z;
}
