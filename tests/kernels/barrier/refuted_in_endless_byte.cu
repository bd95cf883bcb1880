// The counter of the loop stays below its end: the thread that leaves the barrier out never returns.
// launch: grid=1 block=2
__global__ void k() {
  for (unsigned char i = 0; i < 1; i += 0) {
    __syncthreads();
    if (threadIdx.x) __syncthreads();  // ~ HD0201
  }
}
