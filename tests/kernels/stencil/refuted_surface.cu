// A texel of a surface is read that the thread to the left writes.
// launch: grid=2,2 block=16,16
__global__ void k(cudaSurfaceObject_t image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, value;
  asm volatile("suld.b.2d.b32.trap %0, [%1, {%2, %3}];" : "=r"(value) : "l"(image), "r"(4 * x - 4), "r"(y));
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" :: "l"(image), "r"(4 * x), "r"(y), "r"(value) : "memory");  // ~ HD0101
}
