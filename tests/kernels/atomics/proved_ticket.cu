// Each thread stores at the ticket that it drew from an atomic counter.
// launch: grid=any block=any assume="gridDim.x <= 65535"
__global__ void k(unsigned *counter, int *out) {
  unsigned slot = atomicAdd(counter, 1u);
  out[slot] = threadIdx.x;
}
