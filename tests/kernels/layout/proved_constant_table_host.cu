// The host cannot set a `const` table, whatever memory it is in.
// launch: grid=1 block=64
__constant__ const int tab[4] = {3, 1, 2, 0};
__global__ void k(int *a) {
  int t = threadIdx.x;
  if (t < 4) a[tab[t]] = t;
}
