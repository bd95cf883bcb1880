// Active threads go on by a row in each iteration, the others stay: what a thread is at is found.
// launch: grid=1 block=64
__global__ void k(float *out, int n, int rows) {
  bool active = threadIdx.x < n;
  int at = threadIdx.x;
  for (int i = 0; i < rows; i++) {
    if (active) {
      out[at] = i;
      at += 64;
    }
    __syncthreads();
  }
}
