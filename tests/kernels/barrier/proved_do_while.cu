// A do-while loop with a barrier halves the block size until it is one.
// launch: grid=1 block=any
__global__ void k(int *out) {
  int left = blockDim.x, sum = 0;
  do {
    sum += left;
    __syncthreads();
    left /= 2;
  } while (left > 0);
  out[threadIdx.x] = sum;
}
