// In a program, a launcher is called as its file calls it: once with a stride of zero.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }  // ~ HD0101
void launch(int *out, int stride) { k<<<1, 64>>>(out, stride); }
int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  launch(out, 8);
  launch(out, 0);
}
