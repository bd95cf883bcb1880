// A loop adds a quarter of 2^32 in each turn: its sum wraps around and is no index.
// launch: grid=1 block=64
__global__ void k(int *a, int turns) {
  unsigned phase = 0;
  for (int i = 0; i < turns; i++) phase += 0x40000000u;
  a[threadIdx.x & (phase == 0x80000000u ? 1 : 63)] = threadIdx.x; // ~ HD0101
}
