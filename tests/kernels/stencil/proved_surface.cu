// Each thread reads and writes its own texel of a surface; a texture is read and never written.
// launch: grid=2,2 block=16,16
__global__ void k(cudaSurfaceObject_t image, cudaTextureObject_t colours) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, value;
  float r, g, b, a;
  asm volatile("suld.b.2d.b32.trap %0, [%1, {%2, %3}];" : "=r"(value) : "l"(image), "r"(4 * x), "r"(y));
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(r), "=f"(g), "=f"(b), "=f"(a) : "l"(colours), "f"((float)x), "f"((float)y));
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" :: "l"(image), "r"(4 * x), "r"(y), "r"(value + (int)r) : "memory");
}
