// Additions of two halves meet each other alone, and so does one of a half with the half that it adds to.
// launch: grid=1 block=64
__global__ void k(unsigned *out) {
  short half = 1;
  if (threadIdx.x < 32)
    asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(out), "r"(threadIdx.x)
                 : "memory");
  else
    asm volatile("red.relaxed.gpu.global.add.noftz.f16 [%0], %1;" ::"l"(out), "h"(half) : "memory");
}
