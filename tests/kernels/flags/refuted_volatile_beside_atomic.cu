// An exchange and a volatile store to a word that nobody waits for.
// launch: grid=1 block=64
__global__ void k(volatile unsigned *word) {
  if (threadIdx.x == 0) atomicExch((unsigned *)word, 1); // ~ HD0101
  else if (threadIdx.x == 32) word[0] = 2;
}
