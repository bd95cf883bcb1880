// A block waits for the other block of its cluster: the two start together, which is not followed.
// launch: grid=2 block=32 cluster=2
__global__ void k(int *flag) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    while (atomicAdd(flag, 0) == 0) { // ~ HD0002
    }
  if (blockIdx.x == 1 && threadIdx.x == 0)
    atomicExch(flag, 1);
}
