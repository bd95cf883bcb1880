// A pointer of an array in a structure, and one beside the array: two buffers, as indices stay in the array.
// launch: grid=1 block=64
struct Views { int *parts[2]; int *whole; };
__global__ void k(Views views, int n) {
  views.parts[n & 1][threadIdx.x] = 1;
  views.whole[63 - threadIdx.x] = threadIdx.x;
}
