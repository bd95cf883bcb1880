// The launch asks for 256 bytes of shared memory, half of what the block writes.
// launch: as-launched check-bounds passes=bounds
__global__ void k(float *out, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = n; // ~ HD0301
  __syncthreads();
  out[threadIdx.x] = s[127 - threadIdx.x]; // ~ HD0301
}
int main() {
  float *out;
  cudaMalloc(&out, 512);
  k<<<1, 128, 256>>>(out, 3);
}
