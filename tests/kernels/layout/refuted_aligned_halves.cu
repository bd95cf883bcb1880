// Eight bytes and sixteen, both aligned, of rows of any width: the halves of one vector are others' words.
// launch: grid=1 block=64
struct alignas(16) Four { int of[4]; };
struct alignas(8) Two { int of[2]; };
__global__ void k(int *out, int width) {
  if (width < 2 || width > 4096) return;
  int *row = out + threadIdx.x * width;
  if (threadIdx.x & 1)
    *(Two *)row = Two{{1, 2}}; // ~ HD0101
  else
    *(Four *)row = Four{{3, 4, 5, 6}};
}
