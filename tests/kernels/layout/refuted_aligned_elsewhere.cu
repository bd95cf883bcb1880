// Only one thread reads where an int must begin: the others' bytes may begin anywhere.
// launch: grid=1 block=64
struct __attribute__((packed)) Loose { int value; };
__global__ void k(char *out, int *sum, int stride) {
  if (stride < 1 || stride > 1000000) return;
  char *at = out + threadIdx.x * stride;
  if (threadIdx.x == 60) *sum = *(int *)at;
  __syncthreads();
  ((Loose *)at)->value = threadIdx.x; // ~ HD0101
}
