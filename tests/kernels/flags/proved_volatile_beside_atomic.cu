// The same, but a thread waits for the word, and what it reads decides nothing else.
// launch: grid=1 block=64 passes=races
__global__ void k(volatile unsigned *word) {
  if (threadIdx.x == 0) atomicExch((unsigned *)word, 1);
  else if (threadIdx.x == 32) while (word[0] == 0) {}
}
