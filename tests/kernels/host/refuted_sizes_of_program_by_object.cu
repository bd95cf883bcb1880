// An object of the program quarters the size before `main`.
// launch: as-launched
int threads = 128;
int elements = threads * 2;
struct Quartered {
  Quartered() { elements /= 4; }
};
Quartered quartered;
__global__ void k(int *out, int n) {
  out[blockIdx.x * n + threadIdx.x] = blockIdx.x; // ~ HD0102
}
int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, threads>>>(out, elements);
}
