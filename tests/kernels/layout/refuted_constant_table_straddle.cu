// Numbers of two bytes are read across the entries of a table of bytes: the first and the last are 256.
// launch: grid=1 block=64
__constant__ const unsigned char tab[12] = {9, 0, 1, 9, 9, 2, 0, 9, 9, 0, 1, 9};
__global__ void k(int *a) {
  int t = threadIdx.x;
  short at;
  if (t < 3) {
    __builtin_memcpy(&at, tab + 4 * t + 1, 2);
    a[at] = t; // ~ HD0101
  }
}
