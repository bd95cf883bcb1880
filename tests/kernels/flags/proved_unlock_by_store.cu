// The same, freed by an exchange.
// launch: grid=3 block=1 passes=inter-block-race
__global__ void k(int *lock, int *out) {
  while (atomicOr(lock, 1) & 1)
    ;
  atomicExch(lock, 0);
}
