// Sums up to each element, in steps that double.
// run: grid=1 block=32 gives 0 9e da 1b4 22c 243 2f8 34b 43c 4cb 4f9 5c5 62f 637 6de 723 806 887 8a6 964 9c0 aba b52 b88 c5d cd0 ce1 d90 dde eca f54 f7c
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void cumsum(unsigned *out) {
  unsigned t = threadIdx.x;
  __shared__ unsigned s[2][32];
  int now = 0;
  s[0][t] = x(t);
  for (unsigned d = 1; d < 32; d *= 2) {
    __syncthreads();
    s[now ^ 1][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
    now ^= 1;
  }
  out[t] = s[now][t];
}
