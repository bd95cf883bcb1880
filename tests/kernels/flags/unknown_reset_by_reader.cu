// Who has read the flag sets it back by a plain store: it has observed the other's exchange.
// launch: grid=2 block=1 passes=inter-block-race
__global__ void k(int *flag, int *out) {
  if (blockIdx.x == 0) {
    atomicExch(flag, 1);   // ~ HD0002
  } else {
    while (atomicAdd(flag, 0) != 1)
      ;
    *flag = 0;
    out[0] = 1;
  }
}
