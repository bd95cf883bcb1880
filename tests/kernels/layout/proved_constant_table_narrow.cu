// Entries of 16 bits with a sign: distinct.
// launch: grid=1 block=64
__constant__ const short tab[4] = {3, 1, 2, -1};
__global__ void k(int *a) {
  int t = threadIdx.x;
  if (t < 4) a[tab[t] + 1] = t;
}
