// A shared flag is raised by any thread and read after a barrier.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int any;
  int t = threadIdx.x;
  if (t == 0)
    any = 0;
  __syncthreads();
  if (in[t] < 0)
    any = 1;   // ~ HD0103
  __syncthreads();
  out[t] = any;
}
