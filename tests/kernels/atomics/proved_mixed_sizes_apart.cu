// Atomics of different sizes go to different words of one buffer.
// launch: grid=1 block=64
__global__ void k(unsigned long long *count) {
  if (threadIdx.x % 2)
    atomicAdd((unsigned *)(count + 1), 1u);
  else
    atomicAdd(count, 1ull);
}
