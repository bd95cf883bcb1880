// An instruction in inline assembly that nobody has described may touch memory.
// launch: grid=1 block=64
__global__ void k(int *out) {
  asm volatile("frobnicate.global.b32 [%0], %1;" ::"l"(out), "r"(threadIdx.x) : "memory");   // ~ HD0001
}
