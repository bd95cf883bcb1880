// Cases that fall through add up an offset that depends on the quarter of the block only.
// launch: grid=1 block=128
__global__ void k(int *out) {
  int t = threadIdx.x, offset = 0;
  switch (t / 32) {
  case 3: offset += 8;
  case 2: offset += 8;
  case 1: offset += 8;
  }
  out[t + offset] = t;
}
