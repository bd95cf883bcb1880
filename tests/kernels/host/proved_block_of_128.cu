// The kernel is written for blocks of 128 threads, and the host launches blocks of 128.
// launch: as-launched
__global__ void k(int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t % 128] = t;
  __syncthreads();
  out[blockIdx.x * 256 + t] = s[t];
}
int main() {
  int *out;
  cudaMalloc(&out, 1 << 20);
  k<<<16, 128>>>(out);
}
