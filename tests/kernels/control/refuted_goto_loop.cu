// A loop that is entered in the middle by a goto advances by half the block.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int i = threadIdx.x;
  if (n & 1)
    goto middle;
top:
  if (i >= n)
    return;
  out[i] = threadIdx.x;   // ~ HD0101 HD0002
middle:
  i += 32;
  if (i < 4096)
    goto top;
}
