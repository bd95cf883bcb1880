// The lock is taken and given back in PTX, by thread 0.
// launch: grid=3 block=64 passes=progress
__global__ void k(unsigned *lock, int *data) {
  if (threadIdx.x == 0) {
    unsigned old;
    do {
      asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock) : "memory");   // ~ HD0501
    } while (old != 0);
    atomicAdd(data, 1);
    asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(lock), "r"(0) : "memory");
  }
}
