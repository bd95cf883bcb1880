// A function of the program quarters the size between two launches.
// launch: as-launched
static int elements = 256;
__global__ void k(int *out, int n) {
  out[blockIdx.x * n + threadIdx.x] = blockIdx.x; // ~ HD0102
}
static void quarter() { elements /= 4; }
int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, 128>>>(out, elements);
  quarter();
  k<<<16, 128>>>(out, elements);
}
