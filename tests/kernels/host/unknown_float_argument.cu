// The host passes a limit that no byte is below: that no thread stores is not followed, and no run shows that one does.
// launch: as-launched
__global__ void k(int *p, const unsigned char *x, double limit) {
  if (x[threadIdx.x] < limit)
    p[0] = threadIdx.x; // ~ HD0002
}
int main() {
  int *p;
  unsigned char *x;
  cudaMalloc(&p, 4096);
  cudaMalloc(&x, 4096);
  k<<<4, 128>>>(p, x, -1.0);
}
