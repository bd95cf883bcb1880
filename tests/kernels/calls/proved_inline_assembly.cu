// An addition in inline assembly touches no memory, so the store stays at the thread's slot.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int v;
  asm("add.s32 %0, %1, 5;" : "=r"(v) : "r"(threadIdx.x));
  out[threadIdx.x] = v;
}
