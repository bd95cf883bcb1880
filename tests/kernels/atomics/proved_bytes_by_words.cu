// Bytes are added to by compare-and-swap of the words around them, which begin at a pointer to bytes.
// launch: grid=any block=any
__device__ void add(unsigned char *bytes, unsigned at, unsigned char value) {
  unsigned *word = (unsigned *)(bytes + (at & ~3u));
  unsigned shift = (at & 3) * 8, old = *(volatile unsigned *)word, seen;
  do {
    seen = old;
    unsigned sum = ((seen >> shift) + value) & 255u;
    old = atomicCAS(word, seen, (seen & ~(255u << shift)) | sum << shift);
  } while (old != seen);
}
__global__ void k(unsigned char *bytes, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    add(bytes, i % 100, 1);
}
