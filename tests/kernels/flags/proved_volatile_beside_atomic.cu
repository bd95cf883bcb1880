// Two exchanges of a word that nobody waits for.
// launch: grid=1 block=64
__global__ void k(volatile unsigned *word) {
  if (threadIdx.x == 0) atomicExch((unsigned *)word, 1);
  else if (threadIdx.x == 32) atomicExch((unsigned *)word, 2);
}
