// Weights 1, 2, 1 over neighbours, with zeros at the ends.
// run: grid=1 block=32 gives 9e 178 1f0 268 1e1 15b 1d4 24c 2c4 23d 1b7 230 1a8 121 19b 214 28c 204 17d 1f7 270 2e8 260 1d9 253 1cc 144 1bd 237 2b0 228 da
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void convolve(unsigned *out) {
  unsigned t = threadIdx.x;
  __shared__ unsigned s[34];
  s[t + 1] = x(t);
  if (t == 0) s[0] = s[33] = 0;
  __syncthreads();
  out[t] = s[t] + 2 * s[t + 1] + s[t + 2];
}
