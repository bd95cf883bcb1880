// One block exchanges a word of 64 bits, another the lower half of the next.
// launch: grid=2 block=1
__global__ void k(unsigned long long *word) {
  if (blockIdx.x == 0)
    atomicExch(word, 1ull);
  else
    atomicExch((unsigned *)word + 2, 1u);
}
