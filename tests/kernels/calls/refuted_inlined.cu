// A chain of device functions computes an index that two threads share.
// launch: grid=1 block=64
__device__ int fold(int v) { return v < 32 ? v : 63 - v; }
__device__ int odd(int v) { return 2 * fold(v) + 1; }
__global__ void k(int *out) {
  out[odd(threadIdx.x)] = threadIdx.x;   // ~ HD0101
}
