// The absolute value of an offset from the middle sends two threads to each slot.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int *middle = out + 32;
  int offset = (int)threadIdx.x - 32;
  middle[offset < 0 ? -offset : offset] = threadIdx.x;   // ~ HD0101
}
