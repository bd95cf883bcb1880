// Each thread looks for a free slot of a hash table, from the place of its key on; slots are given back, so that a full table waits.
// launch: grid=any block=any passes=progress
struct Entry {
  unsigned key, value;
};
__global__ void k(Entry *table, unsigned capacity, const unsigned *keys, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned slot = keys[i] * 2654435761u & (capacity - 1);
  while (true) {
    unsigned was = atomicCAS(&table[slot].key, 0xffffffffu, keys[i]); // ~ HD0002
    if (was == 0xffffffffu || was == keys[i]) {
      atomicAdd(&table[slot].value, 1);
      break;
    }
    slot = (slot + 1) & (capacity - 1);
  }
  atomicExch(&table[slot].key, 0xffffffffu);
}
