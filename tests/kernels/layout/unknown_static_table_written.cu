// Another kernel of the file writes the `static` table: after it, two entries may be alike. No run of this kernel alone shows it.
// launch: grid=1 block=64
static __device__ int tab[4] = {3, 1, 2, 0};
__global__ void k(int *a) {
  int t = threadIdx.x;
  if (t < 4) a[tab[t]] = t; // ~ HD0002
}
__global__ void set(int i) {
  if (threadIdx.x == 0 && blockIdx.x == 0) tab[i & 3] = i;
}
