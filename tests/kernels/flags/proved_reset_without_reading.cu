// The same by an exchange.
// launch: grid=2 block=1 passes=inter-block-race
__global__ void k(int *flag, int *out) {
  if (blockIdx.x == 0) {
    atomicExch(flag, 1);
  } else {
    out[0] = atomicAdd(flag, 0);
    atomicExch(flag, 0);
  }
}
