// A function that goes round for ever is called for nothing that it gives, and yet keeps its thread.
// launch: grid=1 block=64
__device__ void forever() {
  for (;;) {
  }
}
__global__ void k(int *out) {
  if (threadIdx.x == 0)
    forever();
  __syncthreads(); // ~ HD0201
  out[threadIdx.x] = 1;
}
