// One surface is given twice.
// launch: as-launched
__global__ void k(cudaSurfaceObject_t a, cudaSurfaceObject_t b) {
  int t = threadIdx.x;
  surf1Dwrite(t, a, t * 4);  // ~ HD0101
  surf1Dwrite(t + 1, b, (63 - t) * 4);
}
void run(cudaSurfaceObject_t s) { k<<<1, 64>>>(s, s); }
