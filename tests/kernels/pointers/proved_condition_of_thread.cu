// The condition is read through one argument while another is written: the answer names that they are two.
// launch: grid=1 block=64
__global__ void k(const int *flag, int *out) {
  out[threadIdx.x] = 1;
  if (flag[0]) __syncthreads();
}
