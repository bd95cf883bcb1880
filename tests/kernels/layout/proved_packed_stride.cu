// A member of a packed structure may begin anywhere; five bytes on nothing of it is left.
// launch: grid=1 block=64
struct __attribute__((packed)) Loose { int value; };
__global__ void k(char *out, int stride) {
  if (stride < 4 || stride > 1000000) return;
  ((Loose *)(out + threadIdx.x * stride))->value = threadIdx.x;
}
