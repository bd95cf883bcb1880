// Each thread reads where an int must begin before it writes there, byte by byte or as a whole.
// launch: grid=1 block=64
struct __attribute__((packed)) Loose { int value; };
__global__ void k(char *out, const int *in, int *sum, int stride) {
  if (stride < 1 || stride > 1000000) return;
  char *at = out + threadIdx.x * stride;
  sum[threadIdx.x] = *(int *)at;
  __syncthreads();
  ((Loose *)at)->value = in[threadIdx.x];
}
