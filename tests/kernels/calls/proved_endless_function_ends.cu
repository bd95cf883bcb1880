// A function that goes round a fixed number of times, called for nothing that it gives.
// launch: grid=1 block=64
__device__ void a_while() {
  for (int i = 0; i < 100; i++) {
  }
}
__global__ void k(int *out) {
  if (threadIdx.x == 0)
    a_while();
  __syncthreads();
  out[threadIdx.x] = 1;
}
