// The mask of lower lanes overflows for the last lane alone, and that lane does not compute it.
// launch: grid=1 block=32
__global__ void k(int *x, unsigned mask, unsigned active) {
  int lane = threadIdx.x & 31, place = 0;
  if (lane < 31)
    place = __popc(mask & ((1 << lane) - 1) & active) + 100 * lane;
  x[place] = threadIdx.x; // ~ HD0101
}
