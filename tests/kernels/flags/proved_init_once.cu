// Who comes first fills the table, all others wait for it.
// launch: grid=any block=1 passes=races
__global__ void k(int *table, int *state, int *out) {
  if (atomicCAS(state, 0, 1) == 0) {
    table[0] = 42;
    __threadfence();
    atomicExch(state, 2);
  } else {
    while (*(volatile int *)state != 2) {
    }
    __threadfence();
  }
  out[blockIdx.x] = table[0];
}
