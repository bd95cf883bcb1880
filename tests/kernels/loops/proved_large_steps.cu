// A loop adds a quarter of 2^32 in each turn: whatever its sum comes to, each thread writes its own element.
// launch: grid=1 block=64
__global__ void k(int *a, int turns) {
  unsigned phase = 0;
  for (int i = 0; i < turns; i++) phase += 0x40000000u;
  a[threadIdx.x ^ (phase >> 30)] = threadIdx.x;
}
