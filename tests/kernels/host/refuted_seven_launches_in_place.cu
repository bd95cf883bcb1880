// One of seven launches, of blocks of two sizes, gives a kernel one buffer twice, and each block takes the next one's.
// launch: as-launched
__global__ void next(const float *in, float *out) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x & 63] = in[i];
  __syncthreads();
  out[i] = in[i + blockDim.x]; // ~ HD0102
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  next<<<1, 64>>>(a, b);
  next<<<2, 32>>>(a, b);
  next<<<3, 64>>>(a, b);
  next<<<4, 32>>>(a, b);
  next<<<5, 64>>>(a, b);
  next<<<6, 32>>>(a, b);
  next<<<7, 64>>>(a, a);
}
