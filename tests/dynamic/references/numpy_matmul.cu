// A product of matrices.
// run: grid=1 block=32 gives 1ff5f 12747 15da7 18469 1c3a5 18984 16cce 22488 1e2ab 24782 1d8b5 22067 1a75b 20d66 1acbe 1e7a4
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void matmul(unsigned *out) {
  unsigned t = threadIdx.x;
  __shared__ unsigned s[32];
  s[t] = x(t);
  __syncthreads();
  if (t >= 16) return;
  unsigned sum = 0;
  for (int k = 0; k < 8; k++) sum += s[t / 4 * 8 + k] * s[k * 4 + t % 4];
  out[t] = sum;
}
