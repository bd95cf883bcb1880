// Cases that do different things go on to one launch, the rest returns.
// launch: as-launched
void note(int);
__global__ void k(int *out, int n) {
  if (threadIdx.x < 64) out[blockIdx.x * n + threadIdx.x] = blockIdx.x;
}
void run(int *out, int n) {
  switch (n) {
    case 64: note(1); break;
    case 128: note(2); break;
    case 256: break;
    default: return;
  }
  k<<<8, 256>>>(out, n);
}
