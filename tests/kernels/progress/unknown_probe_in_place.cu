// A compare-and-swap that expects zero is tried again at one place, which nobody gives back.
// launch: grid=any block=any passes=progress
__global__ void k(unsigned *lock, unsigned *out) {
  while (atomicCAS(lock, 0, 1) != 0) { // ~ HD0002
  }
  out[blockIdx.x] = 1;
}
