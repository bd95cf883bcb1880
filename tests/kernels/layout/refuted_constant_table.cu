// A table of constants has one entry twice.
// launch: grid=1 block=64
__global__ void k(int *a) {
  static const int tab[4] = {3, 1, 1, 0};
  int t = threadIdx.x;
  if (t < 4) a[tab[t]] = t; // ~ HD0101
}
