// In each run the counter goes round 12 times, and gives the same room again.
// launch: grid=2 block=64
__global__ void k(int *out, unsigned *tail) {
  for (int i = 0; i < 100000; i++) {
    unsigned room = atomicAdd(tail, 4096);
    out[room + 4095] = threadIdx.x; // ~ HD0002
  }
}
