// As in refuted_bits_not_counted.cu, but the last lane has a place of its own.
// launch: grid=1 block=32
__global__ void k(int *x, unsigned mask, unsigned active) {
  int lane = threadIdx.x & 31, place = 4000;
  if (lane < 31)
    place = __popc(mask & ((1 << lane) - 1) & active) + 100 * lane;
  x[place] = threadIdx.x;
}
