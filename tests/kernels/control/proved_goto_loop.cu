// A loop that is entered in the middle by a goto writes elements of its own thread only.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int i = threadIdx.x;
  if (n & 1)
    goto middle;
top:
  if (i >= n)
    return;
  out[i] = n;
middle:
  i += 64;
  if (i < 4096)
    goto top;
}
