// The byte is read, added to and written back by its word, without a compare-and-swap.
// launch: grid=any block=any
__device__ void add(unsigned char *bytes, unsigned at, unsigned char value) {
  unsigned *word = (unsigned *)(bytes + (at & ~3u));
  unsigned shift = (at & 3) * 8, old = *word;
  unsigned sum = ((old >> shift) + value) & 255u;
  *word = (old & ~(255u << shift)) | sum << shift; // ~ HD0101
}
__global__ void k(unsigned char *bytes, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    add(bytes, i % 100, 1);
}
