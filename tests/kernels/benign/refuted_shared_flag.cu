// A shared flag is lowered by one thread while another may already raise it.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int any;
  int t = threadIdx.x;
  if (t == 63)
    any = 0;   // ~ HD0101
  if (t == 5 && in[t] < 0)
    any = 1;
  __syncthreads();
  out[t] = any;
}
