// Cases that fall through take away an offset and so let the quarters of the block overlap.
// launch: grid=1 block=128
__global__ void k(int *out) {
  int t = threadIdx.x, offset = 0;
  switch (t / 32) {
  case 3: offset += 8;
  case 2: offset += 8;
  case 1: offset += 8;
  }
  out[t - offset] = t;   // ~ HD0101
}
