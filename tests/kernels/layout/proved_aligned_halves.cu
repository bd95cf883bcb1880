// Eight bytes and sixteen, both aligned, of rows that are no less wide than the larger.
// launch: grid=1 block=64
struct alignas(16) Four { int of[4]; };
struct alignas(8) Two { int of[2]; };
__global__ void k(int *out, int width) {
  if (width < 3 || width > 4096) return;
  int *row = out + threadIdx.x * width;
  if (threadIdx.x & 1)
    *(Two *)row = Two{{1, 2}};
  else
    *(Four *)row = Four{{3, 4, 5, 6}};
}
