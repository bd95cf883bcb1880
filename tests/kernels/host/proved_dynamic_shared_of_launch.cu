// The launch asks for as many bytes of shared memory as the block writes.
// launch: as-launched check-bounds passes=bounds
__global__ void k(float *out, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = n;
  __syncthreads();
  out[threadIdx.x] = s[127 - threadIdx.x];
}
int main() {
  float *out;
  cudaMalloc(&out, 512);
  k<<<1, 128, 512>>>(out, 3);
}
