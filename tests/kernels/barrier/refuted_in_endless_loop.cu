// A barrier that one thread leaves out, in a loop that a byte counts and that never ends.
// launch: grid=1 block=64 n=300
__global__ void k(int n) {
  for (unsigned char i = 0; i < n; i++) {
    __syncthreads();
    if (threadIdx.x) __syncthreads();  // ~ HD0201
  }
}
