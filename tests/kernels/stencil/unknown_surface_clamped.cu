// What lies outside of a surface is written at its border, and where that is nobody says.
// launch: grid=1 block=64
__global__ void k(cudaSurfaceObject_t image) {
  int x = threadIdx.x;
  asm volatile("sust.b.1d.b32.clamp [%0, {%1}], {%2};" :: "l"(image), "r"(4 * x), "r"(x) : "memory");  // ~ HD0001
}
