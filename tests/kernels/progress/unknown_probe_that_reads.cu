// A compare-and-swap that changes nothing asks one flag after the other until one is set.
// launch: grid=any block=any passes=progress
__global__ void k(unsigned *flags, unsigned capacity, unsigned *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    unsigned slot = 0;
    while (atomicCAS(&flags[slot], 0, 0) == 0) slot = (slot + 1) & (capacity - 1); // ~ HD0002
    out[0] = slot;
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) atomicCAS(&flags[capacity / 2], 0, 1);
}
