// Entries of 16 bits with a sign: the last is the second minus two to the 16th, which does not fit and is the same.
// launch: grid=1 block=64
__constant__ const short tab[4] = {3, -1, 2, (short)65535};
__global__ void k(int *a) {
  int t = threadIdx.x;
  if (t < 4) a[tab[t] + 1] = t; // ~ HD0101
}
