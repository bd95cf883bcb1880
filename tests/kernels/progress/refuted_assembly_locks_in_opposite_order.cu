// Two blocks take two locks, each spinning inside one assembly, in opposite orders.
// launch: grid=2 block=32
__device__ void take(int *lock) {
  asm volatile(  // ~ HD0503
               "{\n .reg .pred p;\n .reg .b32 old;\nAGAIN:\n atom.acquire.gpu.global.cas.b32 old, [%0], 0, 1;\n"
               " setp.ne.b32 p, old, 0;\n @p bra AGAIN;\n}" ::"l"(lock)
               : "memory");
}
__device__ void leave(int *lock) { asm volatile("st.release.gpu.global.b32 [%0], 0;" ::"l"(lock) : "memory"); }
__global__ void k(int *locks, int *both) {
  if (threadIdx.x != 0)
    return;
  int first = blockIdx.x == 0 ? 0 : 1;
  take(&locks[first]);
  take(&locks[1 - first]);
  *both += 1;
  leave(&locks[1 - first]);
  leave(&locks[first]);
}
