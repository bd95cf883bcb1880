// Four-byte stores at a distance of five bytes do not overlap, aligned or not.
// launch: grid=1 block=64
struct __attribute__((packed)) Unaligned { int value; };
__global__ void k(const int *in, char *out) {
  int t = threadIdx.x;
  ((Unaligned *)(out + 5 * t))->value = in[t];
}
