// CudaDMA, manual buffering: two DMA warps with a buffer each, filled in turn (a stencil along one line).
// launch: grid=1 block=128
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *out, const float *in) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  int dma = t / 32 - 2;
  if (dma >= 0) {
    for (int i = dma; i < 8; i += 2) {
      wait_at(1 + dma, 96);
      s[dma][t % 32] = in[i * 64 + t % 32];
      s[dma][t % 32 + 32] = in[i * 64 + t % 32 + 32];
      arrive_at(3 + dma, 96);
    }
  } else {
    arrive_at(1, 96);
    for (int i = 0; i < 8; i++) {
      int b = i & 1;
      if (i < 7)
        arrive_at(2 - b, 96);
      wait_at(3 + b, 96);
      int right = t < 63 ? t + 1 : t;
      out[i * 64 + t] = s[b][t] + s[b][right];
    }
  }
}
