// A flag is set back by a plain store after a read that nothing rests on.
// launch: grid=2 block=1 passes=inter-block-race
__global__ void k(int *flag, int *out) {
  if (blockIdx.x == 0) {
    atomicExch(flag, 1);   // ~ HD0102
  } else {
    out[0] = atomicAdd(flag, 0);
    *flag = 0;
  }
}
