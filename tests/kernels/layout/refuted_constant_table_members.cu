// A table of structures: the other member is looked at, and is the same in two.
// launch: grid=1 block=64
struct Entry { char kind; int slot; short rest; };
__constant__ const Entry tab[4] = {{1, 3, 0}, {2, 1, 0}, {1, 2, 0}, {0, 0, 0}};
__global__ void k(int *a) {
  int t = threadIdx.x;
  if (t < 4) a[tab[t].kind] = t; // ~ HD0101
}
