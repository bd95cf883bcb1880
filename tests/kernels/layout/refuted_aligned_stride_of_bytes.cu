// A stride of zero bytes is aligned, too.
// launch: grid=1 block=64
__global__ void k(char *out, int stride) {
  if (stride < 0 || stride > 1000000) return;
  *(int *)(out + threadIdx.x * stride) = threadIdx.x; // ~ HD0101
}
