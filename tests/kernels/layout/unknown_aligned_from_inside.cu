// Sixteen bytes at a time, one element after the start: only of a pointer into a buffer is this a race, and then it is.
// launch: grid=1 block=64
struct alignas(16) Four { int of[4]; };
__global__ void k(int *out, int width) {
  int *at = out + 1 + threadIdx.x / 2 * 4 * width;
  *(Four *)at = Four{{(int)threadIdx.x, 4, 5, 6}}; // ~ HD0002 HD0103
}
