// One block exchanges a word of 64 bits, another its upper half: neither is atomic for the other.
// launch: grid=2 block=1
__global__ void k(unsigned long long *word) {
  if (blockIdx.x == 0)
    atomicExch(word, 1ull);   // ~ HD0102
  else
    atomicExch((unsigned *)word + 1, 1u);
}
