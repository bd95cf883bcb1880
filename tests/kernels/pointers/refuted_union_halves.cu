// A union passed by value: two threads write where its number and its lower half say.
// launch: grid=1 block=64
union Both { unsigned whole; unsigned short half[2]; };
__global__ void k(int *out, Both both) {
  if (threadIdx.x == 0) out[both.whole & 0xffff] = 1;  // ~ HD0101
  if (threadIdx.x == 1) out[both.half[0]] = 2;
}
