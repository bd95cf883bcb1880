// A key may be the empty one: two threads that insert it find one slot empty.
// launch: grid=any block=any
__global__ void insert(unsigned *keys, int *values, const unsigned *in, unsigned slots, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = in[i];
  unsigned slot = (key * 2654435761u) % slots;
  for (unsigned tried = 0; tried < slots; tried++) {
    unsigned found = atomicCAS(&keys[slot], 0xffffffffu, key);
    if (found == 0xffffffffu) {
      values[slot] = i;  // ~ HD0002
      return;
    }
    if (found == key) return;
    slot = (slot + 1) % slots;
  }
}
