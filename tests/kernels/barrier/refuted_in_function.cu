// A device function with a barrier is called by half of the block only.
// launch: grid=1 block=64
__device__ int wait_and_add(int v) {
  __syncthreads();   // ~ HD0201
  return v + 1;
}
__global__ void k(int *out) {
  int v = threadIdx.x;
  if (v >= 32)
    v = wait_and_add(v);
  out[threadIdx.x] = v;
}
