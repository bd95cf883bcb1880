// A stride in bytes is a multiple of the element's size where it is not zero: an element begins nowhere else.
// launch: grid=1 block=64
__global__ void k(char *out, int stride) {
  if (stride <= 0 || stride > 1000000) return;
  *(int *)(out + threadIdx.x * stride) = threadIdx.x;
}
