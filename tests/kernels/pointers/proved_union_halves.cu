// A union passed by value: the lower half is the same number through both members.
// launch: grid=1 block=64
union Both { unsigned whole; unsigned short half[2]; };
__global__ void k(int *out, Both both) {
  if (threadIdx.x == 0) out[both.whole & 0xffff] = 1;
  if (threadIdx.x == 1) out[both.half[0] + 1] = 2;
}
