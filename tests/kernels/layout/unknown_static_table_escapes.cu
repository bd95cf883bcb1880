// The address of the `static` table leaves the file: whoever has it may write it.
// launch: grid=1 block=64
static __device__ int tab[4] = {3, 1, 2, 0};
__global__ void k(int *a) {
  int t = threadIdx.x;
  if (t < 4) a[tab[t]] = t; // ~ HD0002
}
__global__ void give(int **to) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *to = tab;
}
