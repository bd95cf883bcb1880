// Threads go round for ever with nothing to do: what is summed up before is computed all the same.
// launch: grid=4 block=64
__global__ void k(int *sum) {
  __shared__ int lock;
  if (threadIdx.x == 0)
    lock = 0;
  bool done = false;
  __syncthreads();
  while (!done) {
    if (0) {
      atomicExch(&lock, 0);
      sum[0] += 1;
      done = true;
    }
  }
}
