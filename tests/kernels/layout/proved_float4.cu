// Vectors of four are stored and loaded with a barrier in between.
// launch: grid=1 block=64
__global__ void k(const float4 *in, float *out) {
  __shared__ __attribute__((aligned(16))) float s[256];
  int t = threadIdx.x;
  ((float4 *)s)[t] = in[t];
  __syncthreads();
  for (int i = t; i < 256; i += 64)
    out[i] = s[255 - i];
}
