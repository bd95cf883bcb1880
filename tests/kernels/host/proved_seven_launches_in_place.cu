// One of seven launches, of blocks of two sizes, gives a kernel one buffer twice, and each thread has its own.
// launch: as-launched
__global__ void own(const float *in, float *out) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x & 63] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x & 63];
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  own<<<1, 64>>>(a, b);
  own<<<2, 32>>>(a, b);
  own<<<3, 64>>>(a, b);
  own<<<4, 32>>>(a, b);
  own<<<5, 64>>>(a, b);
  own<<<6, 32>>>(a, b);
  own<<<7, 64>>>(a, a);
}
