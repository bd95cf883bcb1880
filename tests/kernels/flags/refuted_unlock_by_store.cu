// A lock of one bit, freed by a plain store while others try to take it.
// launch: grid=3 block=1 passes=inter-block-race
__global__ void k(int *lock, int *out) {
  while (atomicOr(lock, 1) & 1)   // ~ HD0102
    ;
  *lock = 0;   // ~ HD0103
}
