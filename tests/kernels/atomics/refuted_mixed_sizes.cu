// Two atomics share bytes and have different sizes: neither is atomic towards the other.
// launch: grid=1 block=64
__global__ void k(unsigned long long *count) {
  if (threadIdx.x % 2)
    atomicAdd((unsigned *)count, 1u);      // ~ HD0101
  else
    atomicAdd(count, 1ull);
}
