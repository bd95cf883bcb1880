// All threads meet at both barriers, in a loop that a byte counts and that never ends.
// launch: grid=1 block=64 n=300
__global__ void k(int n) {
  for (unsigned char i = 0; i < n; i++) {
    __syncthreads();
    if (blockIdx.x == 0) __syncthreads();
  }
}
