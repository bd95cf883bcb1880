// A do-while loop with a barrier ends when the thread's own counter runs out.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int left = threadIdx.x, sum = 0;
  do {
    sum += left;
    __syncthreads();   // ~ HD0201
    left -= 16;
  } while (left > 0);
  out[threadIdx.x] = sum;
}
