// A width that arrives in a structure may be smaller than the block, and then rows overlap.
// launch: grid=1 block=64
struct View { const int *in; int *out; int width; };
__global__ void k(View view) {
  int t = threadIdx.x;
  for (int row = 0; row < 4; row++)
    view.out[row * view.width + t] = view.in[t];   // ~ HD0101
}
