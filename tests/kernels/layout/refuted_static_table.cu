// A `static` variable that no kernel of the file writes: two entries start as zero.
// launch: grid=1 block=64
static __device__ int tab[4] = {3, 1};
__global__ void k(int *a) {
  int t = threadIdx.x;
  if (t < 4) a[tab[t]] = t; // ~ HD0101
}
