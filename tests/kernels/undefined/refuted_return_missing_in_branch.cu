// The threads for which the function lacks its return go on, too.
// launch: grid=1 block=64
__device__ int larger(int a, int b) {
  if (a > b) return a;
}
__global__ void k(int *out) {
  larger(threadIdx.x, 31);
  out[threadIdx.x / 2] = threadIdx.x; // ~ HD0101
}
