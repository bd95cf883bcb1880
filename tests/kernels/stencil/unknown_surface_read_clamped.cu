// A read left of the surface is moved to its first texel, which another thread writes.
// launch: grid=1 block=2
__global__ void k(cudaSurfaceObject_t image, int *out) {
  if (threadIdx.x == 0)
    out[0] = surf1Dread<int>(image, -4, cudaBoundaryModeClamp);  // ~ HD0001
  else
    surf1Dwrite(7, image, 0);
}
