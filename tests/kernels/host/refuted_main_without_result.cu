// The program is written for a compiler that takes `void main`.
// launch: as-launched
__global__ void k(int *out) {
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // ~ HD0102
}
void main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, 128>>>(out);
}
