// A case that does something else first comes to the launch as well, by a loop around the switch.
// launch: as-launched
int next();
__global__ void k(int *out, int n) {
  if (threadIdx.x < 64) out[blockIdx.x * n + threadIdx.x] = blockIdx.x;  // ~ HD0102
}
void run(int *out, int n) {
  for (int turn = n;;) {
    switch (turn) {
      case 64: next(); break;
      case 128: break;
      case 32: turn = next(); continue;
      default: return;
    }
    break;
  }
  k<<<8, 256>>>(out, n);
}
