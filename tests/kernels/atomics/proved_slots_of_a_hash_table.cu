// A slot is empty until one thread puts its key there, and no key is the empty one.
// launch: grid=any block=any
__global__ void insert(unsigned *keys, int *values, const unsigned *in, unsigned slots, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = in[i];
  if (key == 0xffffffffu) return;
  unsigned slot = (key * 2654435761u) % slots;
  for (unsigned tried = 0; tried < slots; tried++) {
    unsigned found = atomicCAS(&keys[slot], 0xffffffffu, key);
    if (found == 0xffffffffu) {
      values[slot] = i;
      return;
    }
    if (found == key) return;
    slot = (slot + 1) % slots;
  }
}
