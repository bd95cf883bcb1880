// An addition of two halves is two atomics of two bytes each, beside one of the whole word.
// launch: grid=1 block=64
__global__ void k(unsigned *out) {
  if (threadIdx.x < 32)
    asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(out), "r"(threadIdx.x)  // ~ HD0101
                 : "memory");
  else
    atomicAdd(out, 1u);
}
