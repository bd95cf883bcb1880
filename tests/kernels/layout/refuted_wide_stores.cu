// Four-byte stores at a distance of three bytes overlap.
// launch: grid=1 block=64
struct __attribute__((packed)) Unaligned { int value; };
__global__ void k(const int *in, char *out) {
  int t = threadIdx.x;
  ((Unaligned *)(out + 3 * t))->value = in[t];   // ~ HD0101
}
