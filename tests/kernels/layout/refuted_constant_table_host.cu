// The host may set a `__constant__` variable before any launch, so its initialiser proves nothing.
// launch: grid=1 block=64
__constant__ int tab[4] = {3, 1, 2, 0};
__global__ void k(int *a) {
  int t = threadIdx.x;
  if (t < 4) a[tab[t]] = t; // ~ HD0101
}
