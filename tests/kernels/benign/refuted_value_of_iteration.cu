// Threads of different iterations store different values: no barrier keeps the first three apart.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s;
  for (int i = 0; i < 4; i++) {
    s = i;   // ~ HD0101
    if (i == 3) __syncthreads();
  }
}
