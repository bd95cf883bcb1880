// Two surfaces are given.
// launch: as-launched
__global__ void k(cudaSurfaceObject_t a, cudaSurfaceObject_t b) {
  int t = threadIdx.x;
  surf1Dwrite(t, a, t * 4);
  surf1Dwrite(t + 1, b, (63 - t) * 4);
}
void run(cudaSurfaceObject_t s, cudaSurfaceObject_t other) { k<<<1, 64>>>(s, other); }
