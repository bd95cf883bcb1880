// With this many rounds the counter need not wrap around.
// launch: grid=2 block=64 assume="n <= 1000"
__global__ void k(int *out, unsigned *tail, int n) {
  for (int i = 0; i < n; i++) {
    unsigned room = atomicAdd(tail, 4096);
    out[room + 4095] = threadIdx.x;
  }
}
