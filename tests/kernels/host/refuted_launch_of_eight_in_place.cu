// One of eight launches gives a kernel one buffer twice.
// launch: as-launched
__global__ void neighbours(const float *in, float *out, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + by]; // ~ HD0101
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  neighbours<<<1, 64>>>(a, b, 1);
  neighbours<<<2, 64>>>(a, b, 2);
  neighbours<<<3, 64>>>(a, b, 3);
  neighbours<<<4, 64>>>(a, b, 4);
  neighbours<<<5, 64>>>(a, b, 5);
  neighbours<<<6, 64>>>(a, b, 6);
  neighbours<<<7, 64>>>(a, b, 7);
  neighbours<<<8, 64>>>(a, a, 8);
}
